// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineLibrary
import OfflineModel
import Tidings
import TidingsHTTP

/// The state of the catalog without the lessons, also the payload of the event `catalog`.
package struct CatalogStateJSON: Codable, Sendable, Equatable {
    /// `empty` without an address, otherwise `loading`, `loaded` or `failed`.
    var state: String
    var address: String?
    var allowPrivate: Bool?
    /// Whether the last load failed or is too old.
    var isStale: Bool
    /// The time at which the lessons were loaded, or absent without lessons.
    var loadedAt: Date?
    var error: ItemFailure?
    var title: String?
    /// The number of lessons in the whole catalog.
    var lessonCount: Int?

    /// Creates the state of a catalog.
    package init(_ catalog: CatalogSource) {
        let address = catalog.address
        let state = catalog.publisher.state
        let known = address == nil ? nil : catalog.publisher.lastData
        self.state =
            switch state {
            case _ where address == nil: "empty"
            case .unknown, .loading: "loading"
            case .loaded: "loaded"
            case .error: "failed"
            }
        self.address = address?.address.text
        allowPrivate = address?.allowsPrivateAddresses
        isStale = address != nil && catalog.publisher.isStale
        loadedAt = known?.loadedAt
        error = address == nil ? nil : state.error.map { ItemFailure(catalog: $0) }
        title = known?.title
        lessonCount = known?.lessonCount
    }
}

/// The response of `GET /api/catalog` with the state and one page of the lessons.
package struct CatalogJSON: Codable, Sendable {
    var catalog: CatalogStateJSON
    /// The number of lessons in the whole catalog that match the query.
    var total: Int
    /// The index of the first returned lesson among the matching lessons.
    var from: Int
    var groups: [LessonGroupJSON]
}

/// The lessons of one group on the page.
package struct LessonGroupJSON: Codable, Sendable {
    /// The group's index in the catalog, because titles may repeat.
    var number: Int
    var title: String
    var lessons: [LessonJSON]
}

/// A lesson with the states of the parts.
package struct LessonJSON: Codable, Sendable {
    struct Part: Codable, Sendable {
        var part: LessonPart
        var address: String
        var state: LessonState
        /// The library's item for this part, or absent if the part was never downloaded.
        var item: ItemID?
    }

    var id: String
    var title: String
    /// The parts in the order audio, video, text.
    var parts: [Part]
    /// The states of the download groups.
    ///
    /// The key is the part that the group is for.
    var downloads: [String: LessonState]

    init(_ downloads: LessonDownloads) {
        id = downloads.lesson.id
        title = downloads.lesson.title
        parts = LessonPart.allCases.compactMap { part in
            downloads.parts[part].map {
                Part(part: part, address: $0.address.text, state: $0.state, item: $0.item?.id)
            }
        }
        self.downloads = [:]
        for group in LessonPart.allCases {
            self.downloads[group.rawValue] = downloads.state(of: group)
        }
    }
}

/// The request of `PUT /api/catalog`.
package struct CatalogAddressJSON: JSONInput {
    var address: String
    var allowPrivate: Bool?
}

/// The request of `POST /api/catalog/lessons/ID/downloads`.
package struct LessonPartsJSON: JSONInput {
    var parts: String
}
