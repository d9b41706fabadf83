"""The way in: who asks, whether they may, how a request travels and how it is answered."""
