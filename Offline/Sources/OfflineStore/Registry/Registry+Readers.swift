// SPDX-License-Identifier: Apache-2.0

/// The readers and the records of the registry, by what they are about.
extension Registry {
    /// The items, to read.
    package var items: ItemReader { ItemReader(registry: self) }
    /// The records about finished files.
    package var files: FileRecords { FileRecords(registry: self) }
    /// The records of unfinished downloads.
    package var downloads: DownloadRecords { DownloadRecords(registry: self) }
    /// The followed feeds, to read.
    package var feeds: FollowedFeedReader { FollowedFeedReader(registry: self) }
    /// The changes of feeds.
    package var feedWriter: FeedWriter { FeedWriter(registry: self) }
    /// The collections, to read.
    package var collections: CollectionReader { CollectionReader(registry: self) }
    /// The changes of collections.
    package var collectionWriter: CollectionWriter { CollectionWriter(registry: self) }
    /// The preferences and settings.
    package var preferences: Preferences { Preferences(registry: self) }
    /// The devices that may use the library over the local network.
    package var devices: DeviceTable { DeviceTable(registry: self) }
}
