// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsDiagnostics
import TidingsHTTP

@testable import TidingsSentry

@Suite(.timeLimit(.minutes(15)))
struct RateLimitsTests {
    private func pauses(
        _ status: Int,
        _ headers: [HTTPHeader] = [],
        sent: Set<ReportCategory> = [.error]
    ) throws -> [ReportCategory: Duration] {
        let head = try HTTPResponseHead(
            status: status,
            headers: HTTPHeaders(headers),
            address: WebAddress("https://errors.example.org/")
        )
        return RateLimits.pauses(head, sent: sent)
    }

    @Test(arguments: [
        ("60:error:organization", [ReportCategory.error: Duration.seconds(60)]),
        ("60::organization", [.all: .seconds(60)]), ("60", [.all: .seconds(60)]),
        ("60:", [.all: .seconds(60)]),
        ("60:error;session:key:quota_exceeded:ns", [.error: .seconds(60), .session: .seconds(60)]),
        ("60:default:organization", [.error: .seconds(60)]),
        (
            " 60 : ERROR ; session , 2.5::key ",
            [
                .error: .seconds(60), .session: .seconds(60), .all: .milliseconds(2_500),
            ]
        ),
        ("60:error, 120:error, 30:error", [.error: .seconds(120)]),
        ("60:transaction;replay:key, 5:attachment:key", [:]),
        ("60:transaction;error:key", [.error: .seconds(60)]),
    ])
    func limitsAreReadByCategory(value: String, pauses: [ReportCategory: Duration]) {
        #expect(RateLimits.parse(value) == pauses)
    }

    @Test(arguments: [
        "", ",", ",,,", ":", "::::", "abc", "abc:error", "-5:error", "0:error", "nan:error",
        "inf:error", "1e9:error", "0x10:error", "1.2.3:error", "+5:error", "60:;:", "٣:error",
        "60;error",
    ])
    func unreadableLimitsAreIgnored(value: String) {
        #expect(RateLimits.parse(value).isEmpty)
    }

    @Test func pausesAreAtMostADay() throws {
        let day = RateLimits.longestPause
        let endless = String(repeating: "9", count: 400)
        #expect(RateLimits.parse("\(endless):error") == [.error: day])
        #expect(RateLimits.parse("9223372036854775807:error") == [.error: day])
        #expect(RateLimits.parse("86401") == [.all: day])
        let after = HTTPHeader("Retry-After", "9223372036854775807")
        #expect(try pauses(429, [after]) == [.all: day])
    }

    @Test(arguments: [200, 202, 400, 403, 413, 429, 500, 503])
    func limitsCountWithEveryStatus(status: Int) throws {
        let limit = HTTPHeader("X-Sentry-Rate-Limits", "70:error:key")
        let after = HTTPHeader("Retry-After", "1000")
        #expect(try pauses(status, [limit, after]) == [.error: .seconds(70)])
    }

    @Test func allHeadersCountAndTheLongestPauseWins() throws {
        let headers = [
            HTTPHeader("x-sentry-rate-limits", "70:error:key"),
            HTTPHeader("X-Sentry-Rate-Limits", "90:error;session:key, 10:error:key"),
        ]
        let longest: [ReportCategory: Duration] = [.error: .seconds(90), .session: .seconds(90)]
        #expect(try pauses(200, headers) == longest)
        #expect(try pauses(200, headers.reversed()) == longest)
    }

    @Test func withoutLimitsRetryAfterCountsOrElseAMinute() throws {
        #expect(try pauses(429, [HTTPHeader("Retry-After", "13")]) == [.all: .seconds(13)])
        #expect(try pauses(429) == [.all: .seconds(60)])
        for value in ["", "soon", "-4", "0", "1.5", "Wed, 21 Oct 2015 07:28:00 GMT"] {
            #expect(try pauses(429, [HTTPHeader("Retry-After", value)]) == [.all: .seconds(60)])
        }
    }

    @Test func retryAfterMayBeADate() throws {
        let headers = [
            HTTPHeader("Date", "Wed, 21 Oct 2026 07:28:00 GMT"),
            HTTPHeader("Retry-After", "Wed, 21 Oct 2026 07:30:00 GMT"),
        ]
        #expect(try pauses(429, headers) == [.all: .seconds(120)])
        #expect(try pauses(503, headers) == [.all: .seconds(120)])
        #expect(try pauses(200, headers).isEmpty)
    }

    @Test func r17_aStatusOf429PausesAtLeastOneSentCategory() throws {
        let limit = HTTPHeader("X-Sentry-Rate-Limits", "70:session:key")
        let both: Set<ReportCategory> = [.error, .session]
        #expect(try pauses(429, [limit], sent: both) == [.session: .seconds(70)])
        #expect(try pauses(429, [limit]) == [.error: .seconds(60), .session: .seconds(70)])
        // Without the pause, the same delivery would be sent again immediately.
        let other = HTTPHeader("X-Sentry-Rate-Limits", "70:replay:key")
        #expect(try pauses(429, [other]) == [.all: .seconds(60)])
        let garbage = HTTPHeader("X-Sentry-Rate-Limits", "soon:error")
        #expect(try pauses(429, [garbage]) == [.all: .seconds(60)])
        let all = HTTPHeader("X-Sentry-Rate-Limits", "5")
        #expect(try pauses(429, [all]) == [.all: .seconds(5)])
    }

    @Test func r17_aLimitForErrorsDoesNotPauseSessions() throws {
        let limit = HTTPHeader("X-Sentry-Rate-Limits", "70:error:key")
        let both = try pauses(429, [limit], sent: [.error, .session])
        #expect(both == [.error: .seconds(70)])
        // Alone, these items are paused too if the server still answers with 429.
        let alone = try pauses(429, [limit], sent: [.session])
        #expect(alone == [.error: .seconds(70), .session: .seconds(60)])
    }
}
