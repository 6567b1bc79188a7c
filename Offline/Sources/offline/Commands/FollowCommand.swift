// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineAPI
import OfflineLibrary
import OfflineModel
import OfflineStore
import TidingsHTTP

/// `offline follow`: follows a feed and queues its newest entries.
struct FollowCommand: Command {
    static var forms: [CommandForm] {
        Form("follow", Self(), help: "Keeps the newest entries of a podcast or another feed.")
            .details(
                """
                The feed is RSS, Atom, JSON Feed or a playlist of links (M3U, PLS, XSPF). While \
                `offline serve` runs, new entries are downloaded and older ones removed.
                """
            )
            .argument(.webAddress(of: "follow"), into: \.address)
            .options([
                .option("--keep", .number("N", in: FeedRequest.keepRange), into: \.keep):
                    "keep the newest N entries (default: \(FeedRequest.standardKeep))",
                .flag("--pages", into: \.keepsPages):
                    "also keep the media of pages to which entries lead",
            ])
            .options(RequestArguments.table, within: \.requests)
            .options(RequestArguments.limit, within: \.requests)
    }

    /// The address of the feed.
    var address = ""
    var keep: Int?
    var keepsPages = false
    var requests = RequestArguments()

    var library: LibraryUse { .created }

    func run(in environment: Environment) async throws -> ExitStatus {
        let reader = RequestOptionsReader(variables: ProcessInfo.processInfo.environment)
        let options = try reader.options(of: requests)
        let request = try FeedRequest(
            Self.address(address),
            keep: keep ?? FeedRequest.standardKeep,
            keepsPages: keepsPages,
            allowsPrivateAddresses: requests.allowsPrivateAddresses,
            options: options
        )
        let library = try await LibraryAccess.open(environment)
        let feed: FeedRepresentation
        do {
            feed = try await library.call(API.feeds.follow, request)
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

    /// Returns the address in a text, which may lack a scheme.
    static func address(_ text: String) throws -> WebAddress {
        let pasted = try PastedAddresses(text)
        guard pasted.addresses.count == 1, let address = pasted.addresses.first else {
            throw UsageError("Use one address of a feed: offline follow https://…")
        }
        return address
    }
}
