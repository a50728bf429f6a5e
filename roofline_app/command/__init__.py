"""The command beside its verbs: forms of answers, JSON Schemas of what programs hand over and get, completion."""
