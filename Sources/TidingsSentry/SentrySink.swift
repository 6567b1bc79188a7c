// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Tidings
public import TidingsDiagnostics
internal import TidingsHTTP
import TidingsLock

/// Sends reports to Sentry, GlitchTip, Bugsink, or another server with Sentry's protocol.
///
/// A report becomes one event with the report's identifier, so two deliveries of the same report
/// are one event on the server. Every field is cut to the length that servers keep, and the event
/// never exceeds the size limit of servers. The first delivery starts a thread. Before the first
/// delivery, the sink opens no connection and resolves no host name.
///
/// ```swift
/// let sink = try SentrySink.sentry(dsn: "https://0a1b2c3d4e5f@errors.example.org/7")
/// let receipt = await sink.send(ReportDelivery(report: report))
/// ```
///
/// The outcome depends on the response. 2xx is `.accepted`. 429 is `.limited`, with the server's
/// pauses by category, or with one minute if the server requests no pause. 413, 422, and 400 with
/// an error message of a Sentry server are `.refused`, with the server's reason. Every other
/// status, redirects, web pages of a captive portal and network errors are `.failed`.
public final class SentrySink: ReportSink {
    /// The address to which the sink sends.
    public let address: SentryDSN
    /// The time after which a delivery fails.
    public let timeout: Duration

    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let client = Lock<HTTPClient?>(nil)

    /// The number of bytes to read of a response body, because servers send less than a hundred.
    private static let responseLimit = 64 * 1_024

    /// Creates a sink.
    ///
    /// - Parameters:
    ///   - address: The address to which the sink sends.
    ///   - timeout: The time after which a delivery fails.
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

    /// Sends a delivery, usually as one envelope, and returns a receipt with the outcome.
    ///
    /// If the task is cancelled, the method returns promptly with `.failed`.
    public func send(_ delivery: ReportDelivery) async -> ReportReceipt {
        await withTaskGroup(of: ReportReceipt.self) { group in
            group.addTask { await self.sendAll(delivery) }
            group.addTask { [clock, timeout, address] in
                do {
                    try await clock.sleep(for: timeout)
                } catch {
                    return Self.cancelled(address)
                }
                return ReportReceipt(.failed("\(address) did not answer in time. Try again later."))
            }
            let receipt = await group.next() ?? Self.cancelled(address)
            group.cancelAll()
            return receipt
        }
    }

    /// Sends the envelopes in order, up to the first envelope that is not accepted.
    private func sendAll(_ delivery: ReportDelivery) async -> ReportReceipt {
        var sent: Set<ReportCategory> = []
        if delivery.report != nil { sent.insert(.error) }
        if !delivery.sessions.isEmpty { sent.insert(.session) }
        var total = ReportReceipt(.accepted)
        for envelope in SentryEnvelope.all(delivery, now: now()) {
            let receipt = await post(envelope, sent: sent)
            total.pauses.merge(receipt.pauses) { max($0, $1) }
            total.outcome = receipt.outcome
            guard receipt.outcome == .accepted else { break }
        }
        return total
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
            let response = try await openClient().fetch(request, limit: Self.responseLimit)
            return SentryResponse.receipt(
                response.transfer.head,
                body: response.body,
                sent: sent,
                secret: address.publicKey
            )
        } catch {
            if error.code == .cancelled { return Self.cancelled(address) }
            guard error.code == .tooManyRedirects else {
                return ReportReceipt(.failed(error.message))
            }
            return ReportReceipt(
                .failed(
                    "\(address) redirects to another address, which the sink does not follow."
                        + " Check the DSN, or sign in to the network."
                )
            )
        }
    }

    private var authorization: String {
        "Sentry sentry_version=7, sentry_key=\(address.publicKey), sentry_client=\(Self.agent)"
    }

    /// Returns the client, which is created outside the lock because the creation starts a thread.
    ///
    /// If two callers create a client, the first client stays.
    private func openClient() -> HTTPClient {
        if let client = client.withLock({ $0 }) { return client }
        let newClient = HTTPClient(
            HTTPClient.Configuration(
                // A self-hosted server can be on a private network.
                addressPolicy: .any,
                userAgent: Self.agent,
                connectTimeout: .seconds(10),
                stallTimeout: .seconds(15),
                maximumRedirects: 0
            )
        )
        return client.withLock { client in
            if let client { return client }
            client = newClient
            return newClient
        }
    }

    private static let agent = "\(SentryEnvelope.client)/\(SentryEnvelope.version)"

    private static func cancelled(_ address: SentryDSN) -> ReportReceipt {
        ReportReceipt(.failed("Sending to \(address) was cancelled."))
    }
}

extension ReportSink where Self == SentrySink {
    /// Returns a sink for a project's DSN, as displayed by Sentry, GlitchTip or Bugsink.
    ///
    /// - Parameter dsn: `https://KEY@HOST/PROJECT`.
    /// - Returns: The sink, which has not connected yet.
    /// - Throws: ``SentryError`` if the DSN is invalid.
    public static func sentry(dsn: String) throws(SentryError) -> SentrySink {
        SentrySink(try SentryDSN(dsn))
    }
}
