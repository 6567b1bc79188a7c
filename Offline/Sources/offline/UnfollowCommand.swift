// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// `offline unfollow`: stops following feeds and keeps their files.
struct UnfollowCommand {
    let ids: [FeedID]
    let environment: Environment

    func run() async throws -> ExitStatus {
        let library = try await LibraryAccess.openFeeds(environment)
        for id in ids {
            do {
                try await library.unfollow(id)
            } catch {
                await library.stop()
                throw error
            }
            Terminal.print("Feed \(id) is no longer followed. Its files stay in the library.")
        }
        await library.stop()
        return .success
    }
}
