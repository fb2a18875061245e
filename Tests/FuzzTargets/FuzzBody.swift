/// What one decoder promises of any input, as a check that an input can break.
public protocol FuzzBody {
  /// The most heap that a decoder may hold after any number of inputs, bytes.
  var mostHeldBytes: Int { get }

  /// Gives the input to a decoder that has seen nothing, and checks every promise. When it returns
  /// nothing of it is left on the heap.
  func check(_ input: UnsafeRawBufferPointer) throws(Violation)

  /// Gives the input to the one decoder that has seen all earlier ones, for its memory must not grow.
  mutating func goOn(_ input: UnsafeRawBufferPointer)
}

extension FuzzBody {
  /// A decoder without a memory holds nothing.
  public var mostHeldBytes: Int { 4096 }
  /// A decoder without a memory has nothing to go on with.
  public mutating func goOn(_ input: UnsafeRawBufferPointer) {}
}

/// A decoder that inputs are made for.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// `ReceiverFramer`: sentences and binary frames out of any bytes.
  case framer
  /// RTCM 3 frames between other bytes.
  case rtcm3
  /// `ReceiverDecoder`'s sentences.
  case nmea
  /// `UBXMessage` of any frame.
  case ubx
  /// `EpochAssembler` behind the decoder.
  case epochs
  /// Epochs of a receiver that behaves, however it orders its sentences.
  case cycles
  /// The same bytes whole, one by one and in pieces.
  case splits
  /// `GPSDDecoder`.
  case gpsd
  /// What `NMEAReport` prints, decoded again.
  case printed
  /// `SensorCSVReader`.
  case sensorCSV = "sensor-csv"
  /// `Board(yaml:)`.
  case boardFile = "board-file"

  /// The checks of this decoder.
  public func body() -> any FuzzBody {
    switch self {
    case .framer: FramerBody()
    case .rtcm3: RTCM3Body()
    case .nmea: NMEABody()
    case .ubx: UBXBody()
    case .epochs: EpochBody()
    case .cycles: CycleBody()
    case .splits: SplitBody()
    case .gpsd: GPSDBody()
    case .printed: PrintedBody()
    case .sensorCSV: SensorCSVBody()
    case .boardFile: BoardFileBody()
    }
  }

  /// True where inputs are a receiver's bytes: a mutation may then mend their checksums.
  public var isReceiverStream: Bool {
    switch self {
    case .framer, .nmea, .ubx, .epochs, .splits: true
    default: false
    }
  }
}
