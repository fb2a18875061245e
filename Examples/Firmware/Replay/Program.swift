import CFirmware

/// The program's start; `main` of the host and the start-up code of a microcontroller call it.
@_cdecl("program")
func program() {
  let trial = UnsafeBufferPointer(start: firmware_trial(), count: firmware_trial_floats())
  let replay = Replay(trial, hertz: firmware_trial_hertz())
  Decoding.run()
  Replay.computeField(
    UnsafeBufferPointer(
      start: firmware_official_field(), count: firmware_official_field_doubles()))
  replay.estimateAttitude()
  Console.print("# filter stack " + Console.decimal(UInt64(firmware_stack())))
  Console.print("# filter heap " + Console.decimal(UInt64(firmware_heap())))
  replay.fitCalibration()
  Console.print("# stack " + Console.decimal(UInt64(firmware_stack())))
  Console.print("# heap " + Console.decimal(UInt64(firmware_heap())))
  Console.print("end")
}
