// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsDiagnostics

/// A sink that says when something has been sent by another one.
final class SendingWatch: ReportSink {
    private let sink: any ReportSink
    private let observer = Lock<(@Sendable () -> Void)?>(nil)

    init(_ sink: any ReportSink) {
        self.sink = sink
    }

    /// Calls `observer` after each delivery of a report that was accepted.
    func observe(_ observer: @escaping @Sendable () -> Void) {
        self.observer.withLock { $0 = observer }
    }

    func send(_ delivery: ReportDelivery) async -> ReportReceipt {
        let receipt = await sink.send(delivery)
        if receipt.outcome == .accepted, delivery.report != nil {
            observer.withLock { $0 }?()
        }
        return receipt
    }
}
