// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineDownloads
package import OfflineModel
package import OfflineSources
package import OfflineStore
package import Tidings
import TidingsFiles

/// The configuration of a library.
package struct LibraryConfiguration: Sendable {
    /// The usual `User-Agent` of all requests.
    static let userAgent = "offline/1.0"

    /// The folder of the library.
    package var directory: LibraryDirectory
    /// The `User-Agent` of all requests.
    package var userAgent = userAgent
    /// Whether all downloads may contact private addresses, regardless of their requests.
    package var allowsPrivateAddresses = false
    /// The center that receives the library's messages.
    package var messages = MessageCenter()
    /// The clock of the delays and timeouts.
    package var clock: any Clock<Duration> = ContinuousClock()
    /// Returns the time of day, by which feeds are checked.
    var now: @Sendable () -> Date = { Date() }
    /// The delays between retries.
    package var retries = DownloadRetryPolicy()
    /// The time to connect, and without a byte, after which a request fails.
    package var patience = RequestPatience()
    /// The source of the network state, or nil for a state that stays unknown.
    package var connectivity: (any ConnectivitySource)? = SystemConnectivity()
    /// The wall clock of the hours in which to download.
    package var localTime = LocalTime()
    /// Returns the free bytes of the disk with a path, or nil if unknown.
    var freeSpace: @Sendable (_ path: String) -> Int64? = SystemFile.freeSpace
    /// The identifier of the current boot, which tests replace to simulate a reboot.
    package var bootID = BootID.current()
    /// The sources that recognize the content of addresses.
    var sources = MediaSources.standard
    /// Called at each checkpoint, on any thread.
    ///
    /// The download waits until the call returns.
    package var reachCheckpoint: @Sendable (Checkpoint) -> Void = { _ in }

    /// Creates the default configuration for a folder.
    package init(directory: LibraryDirectory) {
        self.directory = directory
    }
}
