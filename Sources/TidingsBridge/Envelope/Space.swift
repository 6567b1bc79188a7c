// SPDX-License-Identifier: Apache-2.0

/// The subjects of one space.
struct Space: Hashable, Sendable {
    let name: String

    init(_ name: String) throws(BridgeError) {
        guard name.utf8.count <= 50, WireName.isToken(name.utf8) else {
            throw BridgeError(
                .invalidCrossing,
                "“\(name)” is no name of a space. Use up to 50 letters, digits, - and _."
            )
        }
        self.name = name
    }

    /// The subject of a stored message.
    func stored(_ type: WireName, key: String?) -> String {
        "\(name).\(type.text).\(KeyToken.token(key))"
    }

    /// The subjects of all stored messages of a type.
    func allStored(_ type: WireName) -> SubjectFilter {
        SubjectFilter("\(name).\(type).*")
    }

    /// The subject of a message that no stream stores.
    ///
    /// No name of a space contains the plus sign.
    func transient(_ type: WireName, key: String?) -> String {
        "\(name)+now.\(type.text).\(KeyToken.token(key))"
    }

    /// The subjects of all transient messages of a type.
    func allTransient(_ type: WireName) -> SubjectFilter {
        SubjectFilter("\(name)+now.\(type).*")
    }

    /// The subject of requests of a type.
    func requests(_ type: WireName) -> String { "\(name)+ask.\(type)" }

    /// The subject of the replies to one bridge.
    func replies(to origin: String, number: String) -> String {
        "\(name)+reply.\(origin).\(number)"
    }

    /// Returns the wire name and the key token of a stored or transient subject.
    static func parts(of subject: String) -> (type: String, token: String)? {
        guard let first = subject.firstIndex(of: "."), let last = subject.lastIndex(of: "."),
            first < last
        else { return nil }
        let type = subject[subject.index(after: first)..<last]
        return (String(type), String(subject[subject.index(after: last)...]))
    }
}
