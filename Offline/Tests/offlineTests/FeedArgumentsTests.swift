// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Testing

@testable import offline

@Suite(.timeLimit(.minutes(5)))
struct FeedArgumentsTests {
    private func command(_ words: String...) throws -> Arguments.Command {
        try Arguments(words).command
    }

    @Test func readsTheCommandsOfFeeds() throws {
        let follow = Arguments.Follow(
            address: "pod.example/feed",
            keep: 3,
            keepsPages: true,
            allowsPrivateAddresses: true,
            options: .init(headers: ["A: 1"]),
            cookieFile: "c.txt"
        )
        let options = [
            "--keep=3", "--pages", "--allow-private", "--header=A: 1", "--cookies=c.txt",
        ]
        #expect(try Arguments(["follow", "pod.example/feed"] + options).command == .follow(follow))
        #expect(try command("following") == .following(json: false, checks: false))
        #expect(
            try command("following", "--check", "--json") == .following(json: true, checks: true)
        )
        let ids = [FeedID(rawValue: 1), FeedID(rawValue: 2)]
        #expect(try command("unfollow", "1", "2") == .unfollow(ids))
        #expect(try command("keep", "7") == .keep([ItemID(rawValue: 7)]))
    }

    @Test(arguments: [
        ["follow"], ["follow", "a", "--keep", "0"], ["follow", "a", "--keep", "x"],
        ["follow", "a", "b"], ["unfollow"], ["unfollow", "x"], ["keep"], ["following", "x"],
    ])
    func refusesWrongArguments(words: [String]) {
        #expect(throws: UsageError.self) { try Arguments(words) }
    }
}
