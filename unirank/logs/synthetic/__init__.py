"""Click logs of users whose click models are known, in the formats of public logs."""
