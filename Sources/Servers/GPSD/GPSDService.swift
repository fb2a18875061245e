/// gpsd's protocol: what `gpspipe`, `cgps`, chart plotters and libgps read.
/// - Source: gpsd_json(5) of gpsd 3.22, protocol 3.14.
struct GPSDService: StreamService {
  let name = "gpsd"
  let application = "gpsd"
  let option = "gpsd-port"

  func session(_ client: StreamClient) -> any StreamSession { GPSDClientSession() }

  func refusal(_ reason: String) -> [UInt8] { GPSDObjects.error(reason) }
}
