"""The viewer: an ASGI application over run folders, its event stream, and the same page with its data inside."""
