// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineDownloads
import OfflineLibrary
import OfflineModel
import OfflineStore
import Tidings
import TidingsHTTP
import TidingsLock

/// Downloads one address, or follows the address as a feed, and kills itself at a checkpoint.
///
/// The usage is `OfflineKillPoint LIBRARY ADDRESS CHECKPOINT [COUNT]`. The end-to-end tests resume
/// the download with `offline`.
@main
struct OfflineKillPoint {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count >= 4, let checkpoint = Checkpoint(rawValue: words[3]) else {
            fail("Wrong arguments. Use OfflineKillPoint LIBRARY ADDRESS CHECKPOINT [COUNT].")
        }
        let countdown = Lock(words.count > 4 ? Int(words[4]) ?? 1 : 1)
        var configuration = LibraryConfiguration(directory: LibraryDirectory(path: words[1]))
        configuration.allowsPrivateAddresses = true
        configuration.reachCheckpoint = { reached in
            guard reached == checkpoint else { return }
            let isNow = countdown.withLock { count in
                count -= 1
                return count == 0
            }
            if isNow { kill(getpid(), SIGKILL) }
        }
        let library = try Library(configuration)
        let changes = library.messages.messages(of: ItemChanged.self).values
        let address = try WebAddress(words[2])
        if [.beforeFeedCommit, .afterFeedCommit].contains(checkpoint) {
            _ = try await library.feeds.follow(FeedRequest(address))
            fail("The feed was followed without reaching \(checkpoint.rawValue).")
        }
        _ = try await library.enqueue(DownloadRequest(.address(address)))
        await library.start()
        for await change in changes where [.ready, .failed].contains(change.item.state) {
            fail("The download ended as \(change.item.state) before \(checkpoint.rawValue).")
        }
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data((message + "\n").utf8))
        exit(1)
    }
}
