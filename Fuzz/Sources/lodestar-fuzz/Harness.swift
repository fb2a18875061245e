import CFuzz
import FuzzTargets

/// Runs one decoder's checks on each input and measures the heap.
struct Harness {
  let target: FuzzTarget
  private var body: any FuzzBody
  /// Heap memory of the decoder that receives all inputs, bytes.
  private(set) var held: Int64 = 0
  private(set) var mostHeld: Int64 = 0
  private(set) var inputs: Int64 = 0

  init(_ target: FuzzTarget) {
    self.target = target
    let before = live_heap_bytes()
    body = target.body()
    held = live_heap_bytes() - before
    mostHeld = held
  }

  /// Checks an input.
  mutating func run(_ input: UnsafeRawBufferPointer) throws(Violation) {
    inputs += 1
    try checkAndFree(input)
    let before = live_heap_bytes()
    body.accumulate(input)
    held += live_heap_bytes() - before
    mostHeld = max(mostHeld, held)
    if held > Int64(body.mostHeldBytes) {
      throw Violation(
        "growth: after \(inputs) inputs the decoder holds \(held) bytes; the most it may hold is "
          + "\(body.mostHeldBytes)")
    }
  }

  /// Checks an input and reports a leak only where memory remains each time: the runtime allocates
  /// some objects once, at their first use.
  private func checkAndFree(_ input: UnsafeRawBufferPointer) throws(Violation) {
    let tries = 5
    var left: Int64 = 0
    for _ in 0..<tries {
      let before = live_heap_bytes()
      try body.check(input)
      left = live_heap_bytes() - before
      if left <= 0 { return }
    }
    throw Violation("leak: each time the input is decoded \(left) bytes stay on the heap")
  }
}
