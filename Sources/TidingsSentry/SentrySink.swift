// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Tidings
public import TidingsDiagnostics
internal import TidingsHTTP

/// Sends reports to Sentry, GlitchTip, Bugsink, or whatever else speaks Sentry's protocol.
///
/// A report becomes one event with the report's own identifier, so that what is sent twice is one
/// event. It holds at most what servers keep of each field, and is never larger than they take. The
/// first delivery starts a thread of its own; nothing is sent, and no name looked up, before.
///
/// ```swift
/// let sink = try SentrySink.sentry(dsn: "https://0a1b2c3d4e5f@errors.example.org/7")
/// let receipt = await sink.send(ReportDelivery(report: report))
/// ```
///
/// What it makes of answers: 2xx is accepted; 429 is limited, with the pauses that the server asks
/// for, by category, or of a minute; other 4xx are refused, with the server's reason; 5xx, redirects,
/// web pages of somebody on the way and everything of the network have failed.
public final class SentrySink: ReportSink {
    /// Where it sends to.
    public let address: SentryDSN
    /// The longest time that a delivery takes before it has failed.
    public let timeout: Duration

    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let client = Lock<HTTPClient?>(nil)

    /// The longest answer that is read; servers say less than a hundred bytes.
    private static let answerLimit = 64 * 1_024

    /// Creates a sink.
    ///
    /// - Parameters:
    ///   - address: Where it sends to.
    ///   - timeout: The longest time that a delivery takes before it has failed.
    public convenience init(_ address: SentryDSN, timeout: Duration = .seconds(30)) {
        self.init(address, timeout: timeout, clock: ContinuousClock(), now: { Date() })
    }

    init(
        _ address: SentryDSN,
        timeout: Duration,
        clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Date
    ) {
        self.address = address
        self.timeout = timeout
        self.clock = clock
        self.now = now
    }

    /// Sends a delivery, in most cases as one envelope, and says what became of it.
    ///
    /// Returns soon when its task is cancelled, with `.failed`.
    public func send(_ delivery: ReportDelivery) async -> ReportReceipt {
        await withTaskGroup(of: ReportReceipt.self) { group in
            group.addTask { await self.sendAll(delivery) }
            group.addTask { [clock, timeout, address] in
                do {
                    try await clock.sleep(for: timeout)
                } catch {
                    return Self.cancelled(address)
                }
                return ReportReceipt(.failed("\(address) did not answer in time; try again later."))
            }
            let receipt = await group.next() ?? Self.cancelled(address)
            group.cancelAll()
            return receipt
        }
    }

    /// One after the other, until one is not accepted.
    private func sendAll(_ delivery: ReportDelivery) async -> ReportReceipt {
        var sent: Set<ReportCategory> = []
        if delivery.report != nil { sent.insert(.error) }
        if !delivery.sessions.isEmpty { sent.insert(.session) }
        var whole = ReportReceipt(.accepted)
        for envelope in SentryEnvelope.all(delivery, now: now()) {
            let receipt = await post(envelope, sent: sent)
            whole.pauses.merge(receipt.pauses) { max($0, $1) }
            whole.outcome = receipt.outcome
            guard receipt.outcome == .accepted else { break }
        }
        return whole
    }

    private func post(_ envelope: [UInt8], sent: Set<ReportCategory>) async -> ReportReceipt {
        let request = HTTPRequest(
            address.envelopes,
            method: .post,
            headers: [
                HTTPHeader("Content-Type", "application/x-sentry-envelope"),
                HTTPHeader("X-Sentry-Auth", authorization),
            ],
            body: envelope
        )
        do throws(HTTPError) {
            let answer = try await openClient().fetch(request, limit: Self.answerLimit)
            return SentryAnswer.receipt(
                answer.transfer.head,
                body: answer.body,
                sent: sent,
                secret: address.publicKey
            )
        } catch {
            switch error.code {
            case .cancelled: return Self.cancelled(address)
            case .tooManyRedirects:
                return ReportReceipt(
                    .failed(
                        "\(address) sends on to another address, which is not followed;"
                            + " check the DSN, or sign in to the network."
                    )
                )
            default: return ReportReceipt(.failed(error.message))
            }
        }
    }

    private var authorization: String {
        "Sentry sentry_version=7, sentry_key=\(address.publicKey), sentry_client=\(Self.agent)"
    }

    /// Made outside the lock, because it starts a thread; of two the first one stays.
    private func openClient() -> HTTPClient {
        if let client = client.withLock({ $0 }) { return client }
        let made = HTTPClient(
            HTTPClient.Configuration(
                // A server of one's own stands in one's own network.
                addressPolicy: .any,
                userAgent: Self.agent,
                connectTimeout: .seconds(10),
                stallTimeout: .seconds(15),
                maximumRedirects: 0
            )
        )
        return client.withLock { client in
            if let client { return client }
            client = made
            return made
        }
    }

    private static let agent = "\(SentryEnvelope.client)/\(SentryEnvelope.version)"

    private static func cancelled(_ address: SentryDSN) -> ReportReceipt {
        ReportReceipt(.failed("Sending to \(address) was cancelled."))
    }
}

extension ReportSink where Self == SentrySink {
    /// A sink that sends to the project with this address, as Sentry, GlitchTip or Bugsink show it.
    ///
    /// - Parameter dsn: `https://KEY@HOST/PROJECT`.
    /// - Returns: The sink; it has not connected yet.
    /// - Throws: ``SentryError``, which says what is wrong with the address.
    public static func sentry(dsn: String) throws(SentryError) -> SentrySink {
        SentrySink(try SentryDSN(dsn))
    }
}
