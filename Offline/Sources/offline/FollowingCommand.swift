// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// `offline following`: lists the followed feeds, and checks them if asked.
struct FollowingCommand {
    let json: Bool
    let checks: Bool
    let environment: Environment

    func run() async throws -> ExitStatus {
        let library = try await LibraryAccess.openFeeds(environment)
        var feeds: [FeedRepresentation] = []
        do {
            feeds = try await library.feeds()
            if checks {
                for (index, feed) in feeds.enumerated() {
                    feeds[index] = try await library.check(feed.id)
                }
            }
        } catch {
            await library.stop()
            throw error
        }
        await library.stop()
        if json {
            let data = try JSONFormat.encode(feeds, pretty: true)
            Terminal.print(String(decoding: data, as: UTF8.self))
        } else {
            Terminal.print(FeedTable.text(feeds))
        }
        return checks && feeds.contains { $0.error != nil } ? .failure : .success
    }
}
