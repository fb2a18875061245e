extension ServerKind {
  /// The HTTP server.
  static var http: ServerKind {
    ServerKind(
      "http", \.http,
      keys: [
        .port("http-port", \.http.port),
        .text(
          "http-address", allowed: "an IPv4 or IPv6 address of this machine, or localhost",
          \.http.host),
      ]
    ) { address, context throws(ServerFault) in
      try HTTPWebServer(address, context)
    }
  }
}
