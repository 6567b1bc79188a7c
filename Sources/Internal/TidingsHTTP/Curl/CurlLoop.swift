// SPDX-License-Identifier: Apache-2.0
import CTidingsCurl

/// The loop of the engine's thread, which runs until the engine is closed.
struct CurlLoop {
    private let multi: UnsafeMutableRawPointer
    private let engine: CurlEngine
    private var running: [UnsafeMutableRawPointer: CurlOperation] = [:]
    private let paused = PausedTransfers()

    /// The maximum sleep in milliseconds.
    ///
    /// libcurl's own deadlines shorten the sleep.
    private static let longestSleep: Int32 = 3_600_000

    init(multi: UnsafeMutableRawPointer, engine: CurlEngine) {
        self.multi = multi
        self.engine = engine
    }

    mutating func run() {
        while true {
            let (commands, isClosed) = engine.removeCommands()
            for command in commands { apply(command) }
            if isClosed { break }
            resumePaused()
            var count: Int32 = 0
            curl_multi_perform(multi, &count)
            finishTransfers()
            curl_multi_poll(multi, nil, 0, paused.nextDue(atMost: Self.longestSleep), nil)
        }
        for (easy, operation) in running {
            curl_multi_remove_handle(multi, easy)
            operation.close()
        }
        running = [:]
        engine.threadWillEnd()
        curl_multi_cleanup(multi)
    }

    private mutating func apply(_ command: CurlEngine.Command) {
        switch command {
        case .start(let operation):
            start(operation)
        case .cancel(let cancellation):
            guard let (easy, operation) = running.first(where: { $1.belongs(to: cancellation) })
            else { return }
            running[easy] = nil
            curl_multi_remove_handle(multi, easy)
            operation.cancel()
        }
    }

    private mutating func start(_ operation: CurlOperation) {
        guard let transfer = operation.makeTransfer(paused) else { return }
        running[transfer.easy] = operation
        curl_multi_add_handle(multi, transfer.easy)
    }

    private mutating func finishTransfers() {
        var code = CURLE_OK
        while let easy = tidings_curl_next_finished(multi, &code) {
            curl_multi_remove_handle(multi, easy)
            end(easy, code)
        }
    }

    private mutating func end(_ easy: UnsafeMutableRawPointer, _ code: CURLcode) {
        guard let operation = running.removeValue(forKey: easy) else { return }
        if operation.transferEnded(code) { start(operation) }
    }

    /// Continues the transfers whose turns have started.
    ///
    /// libcurl then delivers the kept bytes immediately.
    private mutating func resumePaused() {
        for easy in paused.removeDue() where running[easy] != nil {
            let code = curl_easy_pause(easy, CURLPAUSE_CONT)
            guard code != CURLE_OK else { continue }
            curl_multi_remove_handle(multi, easy)
            end(easy, code)
        }
    }
}
