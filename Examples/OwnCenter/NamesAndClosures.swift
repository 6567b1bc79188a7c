// SPDX-License-Identifier: Apache-2.0
import Tidings

/// A message that can be observed by type or by name.
private struct Connected: NamedMessage {
    static let name = "InternetConnect"
    let network: String

    var object: (any Sendable)? { network }

    init(network: String) { self.network = network }

    init?(object: (any Sendable)?) {
        guard let network = object as? String else { return nil }
        self.network = network
    }
}

/// A part of the program that counts received messages.
private final class Screen: Sendable {
    let connects = Counter()
    let disconnects = Counter()
}

/// Step 1: observers by object, name and closure.
///
/// This step replaces `observers[name, default: [:]][ObjectIdentifier(self)] = closure` and a loop
/// over the dictionary. An object does not have to remove observers in `deinit` and can observe one
/// name twice. A name can become a type later, first for posts or first for observers.
struct NamesAndClosures {
    private let center = MessageCenter()
    private let library = Screen()
    private let player = Screen()

    func run() throws {
        print("1. Names and closures")
        observe()
        onEightThreads { [center] _ in
            for _ in 0..<1_000 { center.post(named: "InternetConnect", object: "home") }
            for _ in 0..<500 { center.post(named: "InternetNotConnect") }
        }
        print("library received", library.connects.count, "and", library.disconnects.count)
        print("player received", player.connects.count, "with two closures")
        postByType()
        postWithoutObservers()
        try remove()
        withExtendedLifetime((library, player)) {}
    }

    /// Observes two names for the library and one name twice for the player.
    private func observe() {
        center.messages(named: "InternetConnect").observe(owner: library) { screen, _ in
            screen.connects.add()
        }
        center.messages(named: "InternetNotConnect").observe(owner: library) { screen, _ in
            screen.disconnects.add()
        }
        for _ in 0..<2 {
            center.messages(named: "InternetConnect").observe(owner: player) { screen, _ in
                screen.connects.add()
            }
        }
    }

    private func postByType() {
        let token = center.observe(Connected.self) { print("connected to", $0.network) }
        print("a post by type reaches", center.post(Connected(network: "office")))
        token.cancel()
    }

    private func postWithoutObservers() {
        do {
            try center.post(UntypedMessage(name: "InternetMaybe"), requiring: .recipient)
        } catch {
            print(error.code)
        }
    }

    private func remove() throws {
        print("removed", try center.removeObservations(of: player), "of the player")
        do {
            try center.removeObservations(of: player)
        } catch {
            print(error.code)
        }
        print("a post by name reaches", center.post(named: "InternetConnect"))
    }
}
