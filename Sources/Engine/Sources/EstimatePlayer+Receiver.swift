extension EstimatePlayer {
  /// Wants less of the receiver, or all of it again; every fix at the start.
  ///
  /// While it rests no fix comes, and after ten seconds estimates have no place. A u-blox receiver on a
  /// serial line sleeps (UBX-RXM-PMREQ, protocol version 18 and later by its UART, older ones too) and is
  /// woken by a byte; it is then set up anew, for its sleep takes away what it was told and not saved. For
  /// that, one that the board file asks nothing of is asked which receiver it is; set-up `no` forbids it. One
  /// that cannot sleep (NMEA alone, at its own USB, forbidden), a gpsd daemon's, a recording's and the
  /// simulated one is left alone and heard less. An interval below five seconds is no rest.
  ///
  /// Awake it stays until a fix is good to 50 m, or says no accuracy, or a minute has passed. `stop` wakes it;
  /// a program that dies leaves it asleep for an hour at most.
  /// - Parameter demand: What is wanted from now on.
  public func setReceiverDemand(_ demand: ReceiverDemand) { rest.want(demand) }

  /// True while fixes are withheld by `setReceiverDemand`.
  public var isReceiverResting: Bool { rest.isAsleep }
}
