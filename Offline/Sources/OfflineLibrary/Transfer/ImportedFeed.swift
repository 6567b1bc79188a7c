// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import OfflineSources
import OfflineStore
import TidingsHTTP

/// A checked feed of an imported document, with the entries.
struct ImportedFeed: Sendable {
    /// An entry that the feed has had before.
    struct Entry: Sendable {
        private static let mostNames = 64
        let line: LibraryDocument.Entry

        /// Checks an entry of a document with this number of items.
        ///
        /// - Throws: `ImportFault`.
        init(_ line: LibraryDocument.Entry, items: Int) throws {
            let isNamed = !line.entry.isEmpty && line.entry.count <= Self.mostNames
            guard isNamed, line.entry.allSatisfy({ FeedName.isStored($0) }) else {
                throw ImportFault("The entry has no name, too many, or one of a wrong length.")
            }
            guard line.published.isFinite, line.item.map({ $0 >= 1 && $0 <= items }) ?? true
            else { throw ImportFault("A number is out of range.") }
            self.line = line
        }
    }

    let request: FeedRequest
    let title: String
    let createdAt: Date
    /// Whether the document asks for private addresses that the user does not permit.
    let needsPermission: Bool
    let isWithoutOptions: Bool
    var entries: [Entry] = []

    /// Checks a feed of a document that may come from anywhere.
    ///
    /// - Throws: `ImportFault` with the reason why the feed is refused.
    init(_ line: LibraryDocument.Feed, allowsPrivate: Bool) throws {
        do {
            let texts = RequestOptions.Texts(
                referrer: line.referrer,
                proxy: line.proxy,
                limit: line.limit
            )
            request = try FeedRequest(
                try WebAddress(line.feed),
                keep: line.keep,
                keepsPages: line.pages ?? false,
                allowsPrivateAddresses: allowsPrivate && line.allowPrivate == true,
                options: try RequestOptions(texts)
            )
        } catch let error as HTTPError {
            throw ImportFault(error.message)
        } catch let error as FeedError {
            throw ImportFault(error.message)
        } catch let error as LibraryError {
            throw ImportFault(error.message)
        }
        title = Title(line: line.title, fallback: request.address.host).text
        createdAt = line.createdAt
        needsPermission = line.allowPrivate == true && !allowsPrivate
        isWithoutOptions = line.omitted != nil
    }
}
