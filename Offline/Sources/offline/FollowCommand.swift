// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary
import TidingsHTTP

/// `offline follow`: follows a feed and queues its newest entries.
struct FollowCommand {
    let follow: Arguments.Follow
    let environment: Environment

    func run() async throws -> ExitStatus {
        let reader = RequestOptionsReader(variables: ProcessInfo.processInfo.environment)
        var get = Arguments.Get(addresses: [])
        (get.options, get.cookieFile) = (follow.options, follow.cookieFile)
        get.cookieBrowser = follow.cookieBrowser
        let options = try reader.options(of: get)
        let request = try FeedRequest(
            Self.address(follow.address),
            keep: follow.keep,
            keepsPages: follow.keepsPages,
            allowsPrivateAddresses: follow.allowsPrivateAddresses,
            options: options
        )
        let library = try await LibraryAccess.openFeeds(environment)
        let feed: FeedRepresentation
        do {
            feed = try await library.follow(request)
        } catch {
            await library.stop()
            throw error
        }
        await library.stop()
        Terminal.print(FeedTable.summary(feed))
        if !library.isServed {
            Terminal.note("`offline serve` downloads the entries and checks for new ones.")
        }
        return .success
    }

    /// Returns the address in a text, also without a scheme.
    static func address(_ text: String) throws -> WebAddress {
        let pasted = try PastedAddresses(text)
        guard pasted.addresses.count == 1, let address = pasted.addresses.first else {
            throw UsageError("Use one address of a feed: offline follow https://…")
        }
        return address
    }
}
