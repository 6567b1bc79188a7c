// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary
import Tidings
import TidingsHTTP

/// The catalogue without its lessons, as the event tells it.
struct CatalogueStateJSON: Codable, Sendable, Equatable {
    /// `empty` without an address; `loading`, `loaded` or `failed`.
    var state: String
    var address: String?
    var allowPrivate: Bool?
    /// Whether it should be loaded again before it is relied on.
    var isStale: Bool
    /// When what is shown was loaded; absent if nothing is.
    var loadedAt: Date?
    var error: ItemFailure?
    var title: String?
    /// In the whole catalogue.
    var lessonCount: Int?

    init(_ catalogue: CatalogueSource) {
        let address = catalogue.address
        let state = catalogue.publisher.state
        let known = address == nil ? nil : catalogue.publisher.lastData
        self.state =
            switch state {
            case _ where address == nil: "empty"
            case .unknown, .loading: "loading"
            case .loaded: "loaded"
            case .error: "failed"
            }
        self.address = address?.address.text
        allowPrivate = address?.allowsPrivateAddresses
        isStale = address != nil && catalogue.publisher.isStale
        loadedAt = known?.loadedAt
        error = address == nil ? nil : state.error.map { ItemFailure(catalogue: $0) }
        title = known?.title
        lessonCount = known?.lessonCount
    }
}

/// What `GET /api/catalogue` gives: the state, and a part of the lessons.
struct CatalogueJSON: Codable, Sendable {
    var catalogue: CatalogueStateJSON
    /// The lessons that match, in the whole catalogue.
    var total: Int
    /// The place of the first lesson here among them.
    var from: Int
    var groups: [LessonGroupJSON]
}

/// Lessons of one group that stand together in the list.
struct LessonGroupJSON: Codable, Sendable {
    /// The group's place in the catalogue, from 0; titles may repeat.
    var number: Int
    var title: String
    var lessons: [LessonJSON]
}

struct LessonJSON: Codable, Sendable {
    struct Part: Codable, Sendable {
        var part: LessonPart
        var address: String
        var state: LessonState
        /// The item that it is in the library.
        var item: ItemID?
    }

    var id: String
    var title: String
    /// What it consists of: audio, video, text, in this order.
    var parts: [Part]
    /// What can be downloaded together, by what it is for, and its state.
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

/// What `PUT /api/catalogue` takes.
struct CatalogueAddressJSON: Codable, Sendable {
    var address: String
    var allowPrivate: Bool?
}

/// What `POST /api/catalogue/lessons/ID/downloads` takes.
struct LessonPartsJSON: Codable, Sendable {
    var parts: String
}
