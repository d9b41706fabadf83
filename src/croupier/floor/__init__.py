"""The running game system.  For now it is one page: `page` serves what `demo` computed."""
