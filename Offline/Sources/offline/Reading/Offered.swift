// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import OfflineModel
import OfflineStore

/// A word that a shell offers, with the explanation.
struct Offer: Hashable {
    let word: String
    var note = ""
}

/// The values that a shell offers for an option or an argument.
struct Offered {
    /// Returns the values for a library and the arguments before the value.
    ///
    /// A shell offers files if there are none.
    let values: (_ library: LibraryDirectory, _ arguments: [String]) throws -> [Offer]

    static func words(_ words: [String]) -> Offered {
        Offered { _, _ in words.map { Offer(word: $0) } }
    }

    static var files: Offered { Offered { _, _ in [] } }

    static var items: Offered {
        Offered { library, _ in
            try Registry.readOnly(in: library)?.items.items()
                .map { Offer(word: "\($0.id)", note: $0.title) } ?? []
        }
    }

    static var feeds: Offered {
        Offered { library, _ in
            try Registry.readOnly(in: library)?.feeds.feeds()
                .map { Offer(word: "\($0.id)", note: $0.title) } ?? []
        }
    }

    static var collections: Offered {
        Offered { library, _ in
            try Registry.readOnly(in: library)?.collections.collections()
                .map { Offer(word: $0.name) } ?? []
        }
    }
}
