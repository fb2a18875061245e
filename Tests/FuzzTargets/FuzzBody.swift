import ReceiverProtocols

/// The check of one decoder's invariants for any input.
public protocol FuzzBody {
  /// Limit of a decoder's heap memory after any number of inputs, bytes.
  var mostHeldBytes: Int { get }

  /// Decodes the input with a new decoder and checks every invariant. No heap memory remains after
  /// it returns.
  func check(_ input: UnsafeRawBufferPointer) throws(Violation)

  /// Decodes the input with the one decoder that receives all inputs, whose memory is limited.
  mutating func accumulate(_ input: UnsafeRawBufferPointer)
}

extension FuzzBody {
  /// The limit for a decoder without state.
  public var mostHeldBytes: Int { 4096 }
  /// Does nothing, for a decoder without state.
  public mutating func accumulate(_ input: UnsafeRawBufferPointer) {}
}

/// A decoder to fuzz.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// `ReceiverFramer`: sentences and binary frames from any bytes.
  case framer
  /// RTCM 3 frames between other bytes.
  case rtcm3
  /// `ReceiverDecoder`'s sentences.
  case nmea
  /// `UBXMessage` of any frame.
  case ubx
  /// `ReceiverSetup` of each maker.
  case setup
  /// `EpochAssembler` after the decoder.
  case epochs
  /// Epochs of a correct receiver with any order of sentences.
  case cycles
  /// The same bytes at once, one by one and in pieces.
  case splits
  /// `GPSDDecoder`.
  case gpsd
  /// `SignalKDecoder`.
  case signalKDeltas = "signalk-deltas"
  /// `NMEA2000Decoder`, `FastPacket.Assembler` and `NMEA2000Device`.
  case nmea2000
  /// `GPSDSession`: a connection to a gpsd, with its times and messages.
  case gpsdSession = "gpsd-session"
  /// `GPSDClientSession`: the requests of a client of the gpsd server.
  case gpsdRequests = "gpsd-requests"
  /// The output of `NMEAReport`, decoded again.
  case printed
  /// `SignalKRequest` and `SignalKSubscriptions`.
  case signalK = "signalk"
  /// `HTTPRequestParser` and `WebSocketReader`.
  case http
  /// The answers of an NTRIP caster.
  case ntrip
  /// `SensorCSVReader`.
  case sensorCSV = "sensor-csv"
  /// `MCAPReader`, `MCAPRepair` and the messages of ROS 2.
  case mcap
  /// `RosbagDatabase`.
  case rosbag
  /// The output of `GPX`.
  case track
  /// `MagneticModel(parsingCOF:)`.
  case magneticModel = "magnetic-model"
  /// `Board(yaml:)`.
  case boardFile = "board-file"
  /// `ClientMessage`, and monitoring that executes its commands.
  case clientProtocol = "client-protocol"
  /// `HostMessage`.
  case hostProtocol = "host-protocol"
  /// `Policy.load`.
  case policyFile = "policy-file"
  /// `ServeFile`.
  case serveFile = "serve-file"
  /// `RegionsFile`, and monitoring of its regions.
  case regionsFile = "regions-file"
  /// `CalibrationFile` and `CalibrationProfile`.
  case calibration

  /// The checks of this decoder.
  public func body() -> any FuzzBody {
    switch self {
    case .framer: FramerBody()
    case .rtcm3: RTCM3Body()
    case .nmea2000: NMEA2000Body()
    case .nmea: NMEABody()
    case .ubx: UBXBody()
    case .setup: SetupBody()
    case .epochs: EpochBody()
    case .cycles: CycleBody()
    case .splits: SplitBody()
    case .gpsd: ReportDecoderBody<GPSDDecoder>()
    case .signalKDeltas: ReportDecoderBody<SignalKDecoder>()
    case .gpsdSession: GPSDSessionBody()
    case .gpsdRequests: GPSDRequestBody()
    case .printed: PrintedBody()
    case .signalK: SignalKBody()
    case .http: HTTPRequestBody()
    case .ntrip: NTRIPBody()
    case .sensorCSV: SensorCSVBody()
    case .mcap: MCAPBody()
    case .rosbag: RosbagBody()
    case .track: TrackBody()
    case .magneticModel: MagneticModelBody()
    case .boardFile: BoardFileBody()
    case .clientProtocol: ClientProtocolBody()
    case .hostProtocol: HostProtocolBody()
    case .policyFile: PolicyFileBody()
    case .serveFile: ServeFileBody()
    case .regionsFile: RegionsFileBody()
    case .calibration: CalibrationBody()
    }
  }

  /// True where inputs are a receiver's bytes: a mutation may then repair their checksums.
  public var isReceiverStream: Bool {
    switch self {
    case .framer, .nmea, .ubx, .setup, .epochs, .splits: true
    default: false
    }
  }
}
