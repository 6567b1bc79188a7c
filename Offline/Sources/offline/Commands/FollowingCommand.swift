// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineLibrary
import OfflineModel

/// `offline following`: lists the followed feeds, and checks the feeds with `--check`.
struct FollowingCommand: Command {
    static var forms: [CommandForm] {
        Form("following", Self(), help: "Lists the followed feeds.")
            .options([.flag("--check", into: \.checks): "look for new entries of the feeds first"])
            .json(into: \.json)
    }

    var json = false
    var checks = false

    func run(in environment: Environment) async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        var feeds: [FeedRepresentation] = []
        do {
            feeds = try await library.call(API.feeds.list).feeds
            if checks {
                for (index, feed) in feeds.enumerated() {
                    feeds[index] = try await library.call(API.feeds.check, feed.id)
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
