// SPDX-License-Identifier: Apache-2.0
internal import CTidingsCurl

/// What the engine's thread does until the engine is closed.
struct CurlLoop {
    private let multi: UnsafeMutableRawPointer
    private let engine: CurlEngine
    private var running: [UnsafeMutableRawPointer: CurlExchange] = [:]

    /// How long it sleeps with nothing to do; libcurl's own deadlines make it shorter.
    private static let longestSleep: Int32 = 3_600_000

    init(multi: UnsafeMutableRawPointer, engine: CurlEngine) {
        self.multi = multi
        self.engine = engine
    }

    mutating func run() {
        while true {
            let (commands, isClosed) = engine.takeCommands()
            for command in commands { apply(command) }
            if isClosed { break }
            var count: Int32 = 0
            curl_multi_perform(multi, &count)
            takeFinished()
            curl_multi_poll(multi, nil, 0, Self.longestSleep, nil)
        }
        for (easy, exchange) in running {
            curl_multi_remove_handle(multi, easy)
            exchange.close()
        }
        running = [:]
        engine.threadEnds()
        curl_multi_cleanup(multi)
    }

    private mutating func apply(_ command: CurlEngine.Command) {
        switch command {
        case .start(let exchange):
            start(exchange)
        case .cancel(let cancellation):
            guard let (easy, exchange) = running.first(where: { $1.belongs(to: cancellation) })
            else { return }
            running[easy] = nil
            curl_multi_remove_handle(multi, easy)
            exchange.cancel()
        }
    }

    private mutating func start(_ exchange: CurlExchange) {
        guard let hop = exchange.makeHop() else { return }
        running[hop.easy] = exchange
        curl_multi_add_handle(multi, hop.easy)
    }

    private mutating func takeFinished() {
        var code = CURLE_OK
        while let easy = tidings_curl_next_finished(multi, &code) {
            curl_multi_remove_handle(multi, easy)
            guard let exchange = running.removeValue(forKey: easy) else { continue }
            if exchange.hopEnded(code) { start(exchange) }
        }
    }
}
