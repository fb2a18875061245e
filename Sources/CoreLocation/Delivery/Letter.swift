/// Something that a delegate is to be told.
enum Letter {
  case authorization
  case locations([CLLocation])
  case failure(CLError)
  case heading(CLHeading)
  case calibrationQuestion
  case answer(((any Error)?) -> Void, CLError?)

  var isLocation: Bool { if case .locations = self { true } else { false } }
}

/// What waits for a delegate, in the order in which it happened.
struct Mailbox {
  private var letters: [Letter] = []

  var count: Int { letters.count }

  /// Adds a letter; a fix joins the fixes that wait last, so that none is lost.
  mutating func post(_ letter: Letter) {
    if case .locations(let new) = letter, case .locations(let waiting)? = letters.last {
      letters[letters.count - 1] = .locations(
        (waiting + new).sorted { $0.timestamp < $1.timestamp })
    } else {
      letters.append(letter)
    }
  }

  mutating func next() -> Letter? { letters.isEmpty ? nil : letters.removeFirst() }

  /// Drops the fixes that nobody wants any more.
  mutating func dropLocations() { letters.removeAll(where: \.isLocation) }
}
