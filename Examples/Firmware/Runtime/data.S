// The inputs, in read-only memory.
  .section .rodata.trial, "a"
  .balign 8
  .global trial_hertz, trial_begin, trial_end
trial_hertz:
  .incbin TRIAL, 0, 8
trial_begin:
  .incbin TRIAL, 8
trial_end:
  .section .rodata.wmm, "a"
  .balign 8
  .global wmm_begin, wmm_end
wmm_begin:
  .incbin WMM
wmm_end:
  .section .rodata.logs, "a"
  .balign 8
  .global logs_begin, logs_end
logs_begin:
  .incbin LOGS
logs_end:
  .section .note.GNU-stack, ""
