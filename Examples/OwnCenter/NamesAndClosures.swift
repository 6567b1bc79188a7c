// SPDX-License-Identifier: Apache-2.0
import Tidings

/// A message for those who know its type, and a name for those who do not.
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

/// A part of the program that counts what it hears.
private final class Screen: Sendable {
    let connects = Counter()
    let disconnects = Counter()
}

/// Step 1: observers by object, name and closure.
///
/// Instead of `observers[name, default: [:]][ObjectIdentifier(self)] = closure` and a loop over it.
/// Nobody has to remove himself in `deinit`, an object may observe one name twice, and a name can
/// become a type later, one side at a time.
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
        print("library heard", library.connects.count, "and", library.disconnects.count)
        print("player heard", player.connects.count, "by two closures")
        postByType()
        postToNobody()
        try remove()
        withExtendedLifetime((library, player)) {}
    }

    /// One object observes two names, two objects observe one, and one has two closures for it.
    private func observe() {
        center.observe(named: "InternetConnect", owner: library) { screen, _, _ in
            screen.connects.add()
        }
        center.observe(named: "InternetNotConnect", owner: library) { screen, _, _ in
            screen.disconnects.add()
        }
        for _ in 0..<2 {
            center.observe(named: "InternetConnect", owner: player) { screen, _, _ in
                screen.connects.add()
            }
        }
    }

    private func postByType() {
        let token = center.observe(Connected.self) { print("connected to", $0.network) }
        print("a post by type reaches", center.post(Connected(network: "office")))
        token.cancel()
    }

    private func postToNobody() {
        do {
            try center.post(named: "InternetMaybe", delivery: .required)
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
