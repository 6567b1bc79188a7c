// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsTestFixtures
import TidingsTesting

@testable import TidingsDiagnostics
@testable import TidingsSentry

@Suite(.timeLimit(.minutes(15)))
struct SentrySinkTests {
    private let origin: OriginServer
    private let clock = ManualClock()
    private let path = "/bugs/api/7/envelope/"

    init() throws { origin = try OriginServer() }

    private func makeSink() throws -> SentrySink {
        let dsn = origin.base.replacing("http://", with: "http://abc:secret@") + "/bugs/7"
        return SentrySink(
            try SentryDSN(dsn),
            timeout: .seconds(30),
            clock: clock,
            now: { sendDate }
        )
    }

    private func receipt(
        _ route: JSON,
        _ delivery: ReportDelivery? = nil
    ) async throws
        -> ReportReceipt
    {
        try await origin.serve([path: route])
        return await (try makeSink()).send(delivery ?? ReportDelivery(report: makeReport()))
    }

    private func reason(_ receipt: ReportReceipt) -> String {
        switch receipt.outcome {
        case .refused(let reason), .failed(let reason): reason
        default: ""
        }
    }

    private func hasFailed(_ receipt: ReportReceipt) -> Bool {
        if case .failed = receipt.outcome { true } else { false }
    }

    @Test func aReportIsSentAsOneEnvelopeWithTheKey() async throws {
        let report = makeReport()
        #expect(try await receipt(["text": "{}"]) == ReportReceipt(.accepted))
        let log = try await origin.log(finished: 1)
        #expect(log.map(\.method) == ["POST"] && log.map(\.path) == [path])
        #expect(log[0].header("Content-Type") == "application/x-sentry-envelope")
        #expect(
            log[0].header("X-Sentry-Auth") == "Sentry sentry_version=7, sentry_key=abc,"
                + " sentry_client=tidings.swift/\(SentryEnvelope.version)"
        )
        let envelope = SentryEnvelope.all(ReportDelivery(report: report), now: sendDate)[0]
        #expect(log[0].body == String(decoding: envelope, as: UTF8.self))
    }

    @Test func anEmptyDeliveryIsNotSent() async throws {
        #expect(try await receipt(["status": 500], ReportDelivery()) == ReportReceipt(.accepted))
        #expect(try await origin.log().isEmpty)
    }

    @Test func aStatusOf429IsLimitedWithThePauses() async throws {
        #expect(
            try await receipt(["status": 429])
                == ReportReceipt(.limited, pauses: [.all: .seconds(60)])
        )
        let limits: JSON = ["X-Sentry-Rate-Limits": ["5:error:key", "90::key"]]
        #expect(
            try await receipt(["status": 429, "headers": limits])
                == ReportReceipt(.limited, pauses: [.error: .seconds(5), .all: .seconds(90)])
        )
        #expect(
            try await receipt(["text": "{}", "headers": limits])
                == ReportReceipt(.accepted, pauses: [.error: .seconds(5), .all: .seconds(90)])
        )
    }

    @Test(arguments: [400, 413, 422])
    func aRefusalHasTheServersReason(status: Int) async throws {
        let body: JSON = #"{"detail":"bad envelope","causes":["no header\n","x"]}"#
        let receipt = try await receipt(["status": .integer(status), "text": body])
        #expect(
            receipt
                == ReportReceipt(
                    .refused("127.0.0.1 refused the data (\(status)): bad envelope; no header ; x")
                )
        )
    }

    @Test func theReasonIsFoundInHeadersAndBodies() async throws {
        let header: JSON = ["X-Sentry-Error": "from the header"]
        let first = try await receipt(["status": 400, "text": "body", "headers": header])
        #expect(reason(first).hasSuffix(": from the header"))
        let second = try await receipt(["status": 400, "text": #"{"message":"from the body"}"#])
        #expect(reason(second).hasSuffix(": from the body"))
        let third = try await receipt(["status": 400, "text": "plain\u{0}\nwords"])
        #expect(reason(third).hasSuffix(": plain\u{FFFD} words"))
        let echo = try await receipt(["status": 422, "text": "unknown: http://abc@host/7"])
        #expect(reason(echo).hasSuffix(": unknown: http://[key]@host/7"))
        let page = try await receipt(["status": 422, "text": "<html><h1>None</h1></html>"])
        #expect(reason(page) == "127.0.0.1 refused the data (422).")
        let endless = try await receipt(["status": 400, "size": 5_000_000])
        #expect(reason(endless).unicodeScalars.count < 400)
    }

    @Test(arguments: [401, 403, 404])
    func aWrongAddressCostsNoReport(status: Int) async throws {
        let receipt = try await receipt(["status": .integer(status), "text": "{}"])
        #expect(hasFailed(receipt))
        #expect(reason(receipt).contains("check the address"))
    }

    @Test(arguments: [408, 421, 425, 500, 502, 503, 599])
    func aTemporaryErrorIsAFailure(status: Int) async throws {
        #expect(hasFailed(try await receipt(["status": .integer(status)])))
    }

    @Test func aServerErrorWithRetryAfterPausesEverything() async throws {
        let receipt = try await receipt(["status": 503, "headers": ["Retry-After": "120"]])
        #expect(hasFailed(receipt) && receipt.pauses == [.all: .seconds(120)])
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func redirectsAreNotFollowed(status: Int) async throws {
        let other = try OriginServer()
        try await other.serve(["/": ["text": "{}"]])
        let receipt = try await receipt([
            "redirect": .text(other.base + "/"), "status": .integer(status),
        ])
        #expect(hasFailed(receipt) && reason(receipt).contains("redirects to another address"))
        #expect(try await other.log().isEmpty)
    }

    @Test func aWebPageIsNotTheServersResponse() async throws {
        let receipt = try await receipt(["text": "\n <!doctype html><title>Sign in</title>"])
        #expect(hasFailed(receipt) && reason(receipt).contains("Sign in"))
    }

    @Test(
        arguments: [
            ["size": 1_000, "cut": 10, "reset": true], ["size": 1_000, "cut": 10], ["raw": ""],
            ["raw": "nonsense\r\n\r\n"], ["size": 1_000_000], ["raw": "HTTP/1.1 999 No\r\n\r\n"],
        ] as [JSON]
    )
    func aBrokenTransferFails(route: JSON) async throws {
        let receipt = try await receipt(route)
        #expect(hasFailed(receipt) && receipt.pauses.isEmpty)
        #expect(!reason(receipt).contains("abc"))
    }

    @Test func aRefusedConnectionFails() async throws {
        let sink = try SentrySink.sentry(dsn: "http://abc@127.0.0.1:1/7")
        #expect(hasFailed(await sink.send(ReportDelivery(report: makeReport()))))
    }

    @Test func aServerThatNeverAnswersFailsAfterTheTimeout() async throws {
        try await origin.serve([path: ["text": "{}", "gate": "never"]])
        async let sent = makeSink().send(ReportDelivery(report: makeReport()))
        try await origin.waitForRequests(atGate: "never")
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(29))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(1))
        let receipt = try await sent
        #expect(hasFailed(receipt) && reason(receipt).contains("in time"))
        #expect(clock.sleeperCount == 0)
    }

    @Test func aCancelledDeliveryFailsAtOnce() async throws {
        try await origin.serve([path: ["text": "{}", "gate": "never"]])
        let sink = try makeSink()
        let delivery = Task { await sink.send(ReportDelivery(report: makeReport())) }
        try await origin.waitForRequests(atGate: "never")
        delivery.cancel()
        let receipt = await delivery.value
        #expect(hasFailed(receipt) && reason(receipt).contains("cancelled"))
    }

    @Test func deliveriesShareOneConnection() async throws {
        try await origin.serve([path: ["text": "{}"]])
        let sink = try makeSink()
        for _ in 0..<3 { _ = await sink.send(ReportDelivery(report: makeReport())) }
        let log = try await origin.log(finished: 3)
        #expect(Set(log.map(\.connection)).count == 1)
        #expect(Set(log.map(\.body)).count == 1, "A report that is sent again is the same event.")
    }

    @Test func nothingIsSentAfterAFailure() async throws {
        let losses = [ReportLoss(reason: .sampled, category: .error, quantity: 1)]
        let session = ReportedSession(
            id: "5e0f0000-1111-4222-8333-44445555aaaa",
            isFirst: true,
            sequence: 0,
            status: .running,
            started: sendDate,
            date: sendDate,
            errors: 0,
            release: "films@1.4.0"
        )
        let delivery = ReportDelivery(
            sessions: Array(repeating: session, count: 101),
            losses: losses
        )
        let receipt = try await receipt([["status": 500], ["text": "{}"]], delivery)
        #expect(hasFailed(receipt))
        #expect(try await origin.log(finished: 1).count == 1)
    }
}
