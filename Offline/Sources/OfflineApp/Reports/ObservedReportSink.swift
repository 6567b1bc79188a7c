// SPDX-License-Identifier: Apache-2.0
import TidingsDiagnostics
import TidingsLock

/// A sink that forwards to another sink and calls an observer after each sent report.
final class ObservedReportSink: ReportSink {
    private let sink: any ReportSink
    private let observer = Lock<(@Sendable () -> Void)?>(nil)

    init(_ sink: any ReportSink) {
        self.sink = sink
    }

    /// Sets the closure to call after each accepted report, on the thread of the sender.
    func observe(_ observer: @escaping @Sendable () -> Void) {
        self.observer.withLock { $0 = observer }
    }

    func send(_ delivery: ReportDelivery) async -> ReportReceipt {
        let receipt = await sink.send(delivery)
        if receipt.reason == nil, delivery.report != nil {
            observer.withLock { $0 }?()
        }
        return receipt
    }
}
