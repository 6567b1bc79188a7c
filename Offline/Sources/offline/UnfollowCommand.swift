// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// `offline unfollow`: stops following feeds and keeps their files.
struct UnfollowCommand {
    let ids: [FeedID]
    let environment: Environment

    func run() async throws -> ExitStatus {
        let library = try await LibraryAccess.openFeeds(environment)
        let status = await EachItem(command: "unfollow", environment: environment).run(ids) { id in
            try await library.unfollow(id)
            return "Feed \(id) is no longer followed. Its files stay in the library."
        }
        await library.stop()
        return status
    }
}
