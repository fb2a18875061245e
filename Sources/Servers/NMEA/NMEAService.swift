import Formats
import HostProtocol
import LinuxIO
import Quantities

/// NMEA 0183 sentences for chart plotters and GeoClue; what a client sends is ignored.
struct NMEAService: StreamService {
  let name = "NMEA 0183"
  let application: String
  let option: String
  let settings: NMEASettings

  /// GeoClue prefers the services with the best `accuracy`, of GClueAccuracyLevel; reduced accuracy
  /// is some kilometres.
  func announcements(
    of port: Int, _ reach: ListeningReach, accuracy: GrantedAccuracy
  ) -> [Announcement] {
    let level = accuracy == .full ? "exact" : "city"
    return [
      Announcement(
        type: "_nmea-0183._tcp", port: port, reach: reach, text: ["accuracy=\(level)"])
    ]
  }

  func session(_ client: StreamClient) -> any StreamSession {
    Session(needs: settings.needs, schedule: settings.schedule)
  }

  private struct Session: StreamSession {
    let needs: HostNeeds
    var schedule: NMEASchedule

    mutating func receive(
      _ bytes: ArraySlice<UInt8>, _ state: StreamState
    ) throws(StreamRefusal) -> [UInt8] { [] }

    mutating func output(for update: StreamUpdate) -> [UInt8] {
      update.awaitsPlace ? [] : schedule.output(for: update.content)
    }
  }
}

extension NMEASchedule {
  /// The sentences that are due at an update of the host.
  mutating func output(for update: HostUpdate) -> [UInt8] {
    switch update {
    case .estimate(let estimate): return sentences(for: estimate)
    case .receiver(.sky(let sky)): set(sky)
    case .samples(let samples):
      if let pressure = samples.pressure { set(pressure) }
    case .access: discard()
    case .receiver, .source, .fix: break
    }
    return []
  }
}
