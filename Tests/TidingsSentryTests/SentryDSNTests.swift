// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsDiagnostics
import TidingsHTTP

@testable import TidingsSentry

@Suite(.timeLimit(.minutes(15)))
struct SentryDSNTests {
    @Test(arguments: [
        ("https://abc@errors.example.org/7", "https://errors.example.org/api/7/envelope/"),
        ("https://abc:secret@errors.example.org/7/", "https://errors.example.org/api/7/envelope/"),
        ("HTTP://abc@127.0.0.1:8000/bugs/in/12", "http://127.0.0.1:8000/bugs/in/api/12/envelope/"),
        ("https://abc@[::1]:9/a-b_C", "https://[::1]:9/api/a-b_C/envelope/"),
        (
            "https://abc@o1.ingest.example.org:443/1",
            "https://o1.ingest.example.org/api/1/envelope/"
        ),
    ])
    func envelopesArePostedBelowTheServersPath(dsn: String, address: String) throws {
        let dsn = try SentryDSN(dsn)
        #expect(dsn.envelopes.text == address)
        #expect(dsn.publicKey == "abc")
    }

    @Test(arguments: [
        ("", SentryError.Code.invalidAddress), ("abc@example.org/7", .invalidAddress),
        ("ftp://abc@example.org/7", .invalidAddress), ("https://abc@/7", .invalidAddress),
        ("https://abc@example.org/7?x=1", .invalidAddress),
        ("https://abc@example.org/7#x", .invalidAddress),
        ("https://abc@example.org/7\n", .invalidAddress),
        ("https://abc@exa mple.org/7", .invalidAddress),
        ("https://abc@example.org/a b/7", .invalidAddress),
        ("https://abc@example.org/7 https://abc@example.org/8", .invalidAddress),
        ("https://abc@example.org:0/7", .invalidAddress),
        ("https://abc@example.org:99999/7", .invalidAddress),
        ("https://example.org/7", .missingKey), ("https://@example.org/7", .missingKey),
        ("https://:secret@example.org/7", .missingKey),
        ("https://a,sentry_x=b@example.org/7", .missingKey),
        ("https://a@b@example.org/7", .missingKey),
        ("https://abc@example.org", .missingProject),
        ("https://abc@example.org/", .missingProject),
        ("https://abc@example.org/a/../", .missingProject),
        ("https://abc@example.org/7%2F8", .missingProject),
    ])
    func anInvalidAddressThrowsWithARemedy(text: String, code: SentryError.Code) throws {
        let error = #expect(throws: SentryError.self) { try SentryDSN(text) }
        #expect(error?.code == code)
        let message = try #require(error?.message)
        #expect(message.hasSuffix(".") && message.count > 40)
        #expect(!message.contains("abc") && !message.contains("secret"))
    }

    @Test func itsDescriptionsNeverContainTheKey() throws {
        let dsn = try SentryDSN("https://abc:secret@errors.example.org/bugs/7")
        #expect("\(dsn)" == "https://errors.example.org/bugs/7")
        #expect(String(reflecting: dsn) == "https://errors.example.org/bugs/7")
        #expect(dsn.isEncrypted)
        #expect(try !SentryDSN("http://abc@localhost/7").isEncrypted)
    }

    @Test func theFactoryThrowsForAnInvalidAddress() throws {
        #expect(throws: SentryError.self) { try SentrySink.sentry(dsn: "errors.example.org") }
        let sink = try SentrySink.sentry(dsn: "https://abc@errors.example.org/7")
        #expect(sink.address.project == "7")
    }

    @Test func theFactoryIsAvailableWhereASinkIsExpected() throws {
        func take(_ sink: some ReportSink) -> Bool { sink is SentrySink }
        #expect(take(try .sentry(dsn: "https://abc@errors.example.org/7")))
        let sink: (any ReportSink)? = try .sentry(dsn: "https://abc@errors.example.org/7")
        #expect(sink is SentrySink)
    }
}
