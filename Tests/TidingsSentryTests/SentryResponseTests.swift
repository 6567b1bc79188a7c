// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsDiagnostics
import TidingsHTTP

@testable import TidingsSentry

@Suite(.timeLimit(.minutes(15)))
struct SentryResponseTests {
    private func outcome(
        _ status: Int,
        _ body: String = "",
        _ headers: [HTTPHeader] = []
    ) throws -> ReportReceipt.Outcome {
        let head = try HTTPResponseHead(
            status: status,
            headers: HTTPHeaders(headers),
            address: WebAddress("https://errors.example.org/")
        )
        return SentryResponse.receipt(head, body: Array(body.utf8), sent: [.error], secret: "abc")
            .outcome
    }

    private func isRefused(_ outcome: ReportReceipt.Outcome) -> Bool {
        if case .refused = outcome { true } else { false }
    }

    @Test func aResponseOfAnotherServerCostsNoReport() throws {
        for status in 400..<500 where ![408, 413, 421, 422, 425, 429].contains(status) {
            guard case .failed(let reason) = try outcome(status, "no such method") else {
                Issue.record("The status \(status) is not a failure.")
                continue
            }
            #expect(reason.contains("check the address") && reason.contains("(\(status))"))
            #expect(reason.hasSuffix(": no such method"))
        }
    }

    @Test(arguments: [413, 422])
    func aPermanentErrorIsARefusal(status: Int) throws {
        #expect(isRefused(try outcome(status)))
    }

    @Test(arguments: [
        #"{"detail":"bad envelope","causes":["no header"]}"#, #"{"error":{"code":7}}"#,
        #" {"causes":[]}"#, #"{"detail":["a","b"]}"#, #"{"message":"Envelope is too large."}"#,
    ])
    func theServersErrorBodyIsARefusal(body: String) throws {
        #expect(isRefused(try outcome(400, body)))
        #expect(!isRefused(try outcome(405, body)))
    }

    @Test func theServersErrorHeaderIsARefusal() throws {
        let header = HTTPHeader("X-Sentry-Error", "bad envelope")
        #expect(
            try outcome(400, "", [header])
                == .refused(
                    "errors.example.org refused the data (400): bad envelope"
                )
        )
    }

    @Test(arguments: [
        "", "Client sent an HTTP request to an HTTPS server.", "[]", "7",
        #""detail""#, #"["detail"]"#, "<html><h1>400 Bad Request</h1></html>", #"{"detail":"#,
    ])
    func anotherBadRequestCostsNoReport(body: String) throws {
        #expect(!isRefused(try outcome(400, body)))
    }

    @Test func anEmptySuccessResponseIsAccepted() throws {
        for status in [200, 201, 202, 204] { #expect(try outcome(status) == .accepted) }
    }
}
