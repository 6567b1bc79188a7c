// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsLock
import TidingsTesting

@testable import TidingsDiagnostics

/// A report sender with a folder, a manual clock and a sink with prepared results.
final class ReportSenderFixture: Sendable {
    /// The remaining receipts, after which all further deliveries are accepted.
    private final class Answers: Sendable {
        private let left: Lock<[ReportReceipt]>

        init(_ answers: [ReportReceipt]) { left = Lock(answers.reversed()) }

        func next() -> ReportReceipt { left.withLock { $0.popLast() } ?? ReportReceipt(.accepted) }
    }

    let place: TemporaryFolder
    let clock = ManualClock()
    let store: ReporterStore
    let spool: ReportSpool
    let sink: InMemorySink
    let sender: ReportSender

    /// Creates a sender with prepared receipts or an `answer` closure.
    ///
    /// The sink returns the receipts in order and then accepts, or calls `answer`.
    init(
        _ answers: [ReportReceipt] = [],
        in place: TemporaryFolder? = nil,
        path: String? = nil,
        consent: ReportConsent? = .given,
        answer: (@Sendable (ReportDelivery) async -> ReportReceipt)? = nil,
        beforeSend: (@Sendable (Report) -> Report?)? = nil
    ) throws {
        let place = try place ?? TemporaryFolder()
        let path = path ?? place.path
        let store = ReporterStore(directory: path)
        let answers = Answers(answers)
        self.place = place
        self.store = store
        spool = try ReportSpool(
            folder: ReportFolder(path: path, countLimit: 50, byteLimit: 1 << 20),
            onLoss: { loss in store.update { $0.count(loss) } }
        )
        sink = InMemorySink(answer ?? { _ in answers.next() })
        var options = ReportSender.Options()
        options.beforeSend = beforeSend
        options.random = { 0 }
        options.now = { [clock] in Self.date(clock) }
        sender = ReportSender(
            spool: spool,
            store: store,
            sink: sink,
            clock: clock,
            options: options
        )
        if let consent { store.update { $0.consent = consent } }
    }

    deinit { sender.stop() }

    var now: Date { Self.date(clock) }

    private static func date(_ clock: ManualClock) -> Date {
        Date(timeIntervalSince1970: 1_000_000 + clock.now.offset / .seconds(1))
    }

    /// Sends all reports that can be sent now, and returns whether no report is left.
    @discardableResult
    func rest() async -> Bool { await sender.flush(timeout: .seconds(100_000)) }

    /// Waits for the sender's timer and advances the clock.
    func advance(by duration: Duration) async throws {
        try await clock.waitForSleepers()
        clock.advance(by: duration)
    }

    /// The seconds of the reports that the sink received, in order.
    var sent: [Int] { sink.deliveries.compactMap(\.report).map(Self.second) }

    func kept() async -> [Int] { await spool.reports().map(Self.second).sorted() }

    private static func second(_ report: Report) -> Int {
        Int(report.date.timeIntervalSince1970)
    }
}
