// Runs a simulated day with a journal and prints its events, for `KilledProcessTests`, which kills it:
//   JournalWriter FOLDER SEED
// It continues after the newest fix in the journal. Each line: the event's number and its word.
import Monitoring
import Quantities
import SimulatedDays
import Storage

#if canImport(Glibc)
  import Glibc
#endif

func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(1, bytes, bytes.count)
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let seed = UInt64(arguments[2]) else {
  say("usage: JournalWriter FOLDER SEED")
  exit(64)
}
do {
  var dayOptions = SimulatedDay.Options(seed: seed)
  dayOptions.intervalSeconds = 30
  let day = SimulatedDay(dayOptions)
  var options = MonitoringSession.Options()
  options.clock = { SimulatedDay.start }
  let session = try MonitoringSession(
    journal: MonitoringJournal(folder: arguments[1] + "/org.example.day"), options: options)
  for refusal in session.refusals { say("refused \(refusal)") }
  session.onFault { say("fault \($0)") }
  session.deliver { event in
    say("\(event.sequence) \(SimulatedDay.word(event))")
    session.perform(.acknowledge(sequence: event.sequence))
  }
  if session.lastFix == nil {
    for region in SimulatedDay.regions { session.perform(.startRegion(region)) }
    session.perform(.startVisits)
    session.perform(.startSignificantChanges)
  }
  let known = session.lastFix?.time
  say("ready")
  for fix in day.fixes where known.map({ fix.time > $0 }) ?? true {
    session.process(fix)
    session.waitUntilIdle()
  }
  session.waitUntilIdle()
  session.close()
  say("done")
} catch {
  say("failed \(error)")
  exit(1)
}
