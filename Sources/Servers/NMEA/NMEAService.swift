import Formats
import HostProtocol
import Quantities

/// NMEA 0183 sentences for chart plotters; what a client sends is ignored.
struct NMEAService: StreamService {
  let name = "NMEA 0183"
  let application = "nmea"
  let option = "nmea-port"

  func session() -> any StreamSession { Session() }

  private struct Session: StreamSession {
    private var schedule = NMEASchedule()
    let needs = HostNeeds.estimates

    mutating func begin() -> [UInt8] { [] }

    mutating func receive(
      _ bytes: ArraySlice<UInt8>, _ state: StreamState
    ) throws(StreamRefusal) -> [UInt8] { [] }

    mutating func take(_ update: StreamUpdate) -> [UInt8] {
      guard case .estimate(let estimate) = update.content else { return [] }
      return schedule.sentences(for: estimate)
    }
  }
}
