"""Steps of the build: fetch, bundle, compile, assemble, serve. Never shipped to the browser."""
