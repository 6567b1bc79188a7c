// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsSentry

@Suite(.timeLimit(.minutes(15)))
struct SentryNamesTests {
    @Test func anEventHasTheReportsIdentifierWithoutDashes() {
        let name = SentryNames.event("5E0F0000-1111-4222-8333-44445555AAAA")
        #expect(name == "5e0f00001111422283334444" + "5555aaaa")
    }

    @Test(arguments: ["", "7", "5e0f0000-1111-4222-8333-44445555aaa", "zz", "\0", "é"])
    func anInvalidIdentifierAlwaysMapsToTheSameID(id: String) {
        let name = SentryNames.event(id)
        #expect(name == SentryNames.event(id))
        #expect(name.utf8.count == 32 && name.utf8.allSatisfy(SentryNames.isHexDigit))
        #expect(name != SentryNames.event(id + "x"))
    }

    @Test func aSessionKeepsItsDashes() {
        let id = "5e0f0000-1111-4222-8333-44445555aaaa"
        #expect(SentryNames.session(id) == id)
        #expect(
            SentryNames.session("seven").split(separator: "-").map(\.count) == [8, 4, 4, 4, 12]
        )
    }

    @Test(arguments: [
        ("films@1.4.0+7", "films@1.4.0+7"), (" films\n1 ", "films 1"), ("a/b\\c", "a-b-c"),
        ("", nil), (" \n", nil), ("latest", "release@latest"), ("LATEST", "release@LATEST"),
        ("..", "release@.."), ("a\0b", "a\u{FFFD}b"),
    ])
    func releaseNamesAreValidForServers(name: String, release: String?) {
        #expect(SentryNames.release(name) == release)
    }

    @Test(arguments: [
        ("production", "production"), (nil, nil), ("", nil), ("None", nil), (".", nil),
        ("a/b", "a-b"),
    ])
    func environmentNamesAreValidForServers(name: String?, environment: String?) {
        #expect(SentryNames.environment(name) == environment)
    }

    @Test func longNamesAreCutByBytes() {
        let long = String(repeating: "é", count: 300)
        #expect((190...200).contains(SentryNames.release(long)?.utf8.count ?? 0))
        #expect((60...64).contains(SentryNames.environment(long)?.utf8.count ?? 0))
    }

    @Test func aTagHasAPlainNameThatTheServerDoesNotSet() {
        #expect(SentryNames.isTag("queue_size"))
        #expect(SentryNames.isTag("a.b:c-D9"))
        for name in [
            "", "a b", "é", "release", "level", "sentry:x", String(repeating: "a", count: 33),
        ] {
            #expect(!SentryNames.isTag(name))
        }
    }
}
