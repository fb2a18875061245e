internal import Monitoring

/// Something that a delegate is to be told.
enum Letter {
  case authorization
  case locations([CLLocation])
  case failure(CLError)
  case heading(CLHeading)
  case calibrationQuestion
  case paused
  case resumed
  case deferralFinished(CLError?)
  case monitoring(MonitoringEvent)
  case monitoringFailed(CLRegion?, CLError)
  case ranged(RangedBeacons)
  case rangingFailed(CLBeaconIdentityConstraint, CLError)

  var isLocation: Bool { if case .locations = self { true } else { false } }
}

/// What waits for a delegate, in the order in which it happened.
///
/// It stays small whatever the delegate does: of what repeats only the newest waits, and the oldest fixes go
/// where nobody takes them. A region's failure waits as often as it was asked for; crossings are bounded by their
/// host.
struct Mailbox {
  /// The most fixes that wait: about a quarter of an hour of a receiver at its usual rate, 200 kB.
  static let fixLimit = 1000

  private var letters: [Letter] = []
  private(set) var count = 0
  private var first = 0

  /// Adds a letter; a fix joins the fixes that wait last.
  mutating func post(_ letter: Letter) {
    if first < letters.count, let joined = letters[letters.count - 1].joined(with: letter) {
      letters[letters.count - 1] = joined
      return
    }
    dropTwin(of: letter)
    letters.append(letter)
    count = letters.count - first
  }

  /// The letter that waits longest.
  mutating func next() -> Letter? {
    guard first < letters.count else { return nil }
    defer {
      first += 1
      if first == letters.count { (letters, first) = ([], 0) }
      count = letters.count - first
    }
    return letters[first]
  }

  /// Drops the fixes that nobody wants any more.
  mutating func dropLocations() { keep { !$0.isLocation } }

  /// Drops the events of monitoring: whoever listens anew is told them again.
  mutating func dropMonitoring() {
    keep { if case .monitoring = $0 { false } else { true } }
  }

  /// Drops what was ranged for nobody any more.
  mutating func dropRanging(_ constraint: CLBeaconIdentityConstraint) {
    keep {
      if case .ranged(let ranged) = $0 { return ranged.constraint != constraint }
      return true
    }
  }

  /// Of a letter that a newer one makes worthless only the newer one waits.
  private mutating func dropTwin(of letter: Letter) {
    switch letter {
    case .authorization:
      keep { if case .authorization = $0 { false } else { true } }
    case .failure(let new):
      keep { if case .failure(let old) = $0 { old.code != new.code } else { true } }
    case .ranged(let new):
      dropRanging(new.constraint)
    case .locations(let new):
      // Fixes between other letters: the oldest go.
      var excess = fixCount + new.count - Self.fixLimit
      while excess > 0, let oldest = letters[first...].firstIndex(where: \.isLocation) {
        guard case .locations(let fixes) = letters[oldest] else { break }
        let rest = fixes.dropFirst(excess)
        excess -= fixes.count - rest.count
        if rest.isEmpty {
          letters.remove(at: oldest)
        } else {
          letters[oldest] = .locations(Array(rest))
        }
      }
      count = letters.count - first
    case .monitoring(let new):
      // Of a region's states only the newest is worth telling.
      guard case .regionState(let region, _) = new.kind else { return }
      keep { letter in
        guard case .monitoring(let old) = letter, case .regionState(let other, _) = old.kind else {
          return true
        }
        return other.identifier != region.identifier
      }
    default: break
    }
  }

  private var fixCount: Int {
    letters[first...].reduce(0) { sum, letter in
      if case .locations(let fixes) = letter { sum + fixes.count } else { sum }
    }
  }

  private mutating func keep(_ isKept: (Letter) -> Bool) {
    letters = letters[first...].filter(isKept)
    (first, count) = (0, letters.count)
  }
}

extension Letter {
  /// This letter with the next one in it; nil where they stay two.
  fileprivate func joined(with next: Letter) -> Letter? {
    switch (self, next) {
    case (.locations(let waiting), .locations(let new)):
      let all = (waiting + new).sorted { $0.timestamp < $1.timestamp }
      return .locations(Array(all.suffix(Mailbox.fixLimit)))
    case (.calibrationQuestion, .calibrationQuestion): return self
    default: return nil
    }
  }
}
