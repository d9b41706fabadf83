"""Telling others of what happens, and hearing of it: feed, webhooks, events to acknowledge, other processes."""
