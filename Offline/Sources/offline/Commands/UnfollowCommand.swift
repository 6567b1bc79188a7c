// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineModel

/// `offline unfollow`: stops following feeds and keeps their files.
struct UnfollowCommand: Command {
    static var forms: [CommandForm] {
        Form("unfollow", Self(), help: "Stops following feeds. Keeps their files.")
            .arguments(.feed, into: \.ids)
    }

    var ids: [FeedID] = []

    func run(in environment: Environment) async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        let status = await EachItem(command: "unfollow", environment: environment).run(ids) { id in
            try await library.call(API.feeds.unfollow, id)
            return "Feed \(id) is no longer followed. Its files stay in the library."
        }
        await library.stop()
        return status
    }
}
