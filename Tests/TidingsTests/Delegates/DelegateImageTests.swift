// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import Tidings

private protocol Named: AnyObject, Sendable {
    var name: String { get }
}
private protocol Counted: AnyObject, Sendable {
    var count: Int { get }
}
/// A protocol that is not bound to classes, so a value has a buffer, a type and a table.
private protocol Loose: Sendable {
    var name: String { get }
}
private protocol Holder<Item>: AnyObject, Sendable {
    associatedtype Item
    var item: Item { get }
}

private final class Person: Named, Counted, Loose {
    let name: String
    let count = 7
    init(_ name: String) { self.name = name }
}

private final class Box<Item: Sendable>: Holder, Named, Counted {
    let item: Item
    var name: String { "\(item)" }
    let count = 8
    init(_ item: Item) { self.item = item }
}

private protocol Greeting: Sendable {}
extension Greeting {
    var greeting: String { " hello" }
}
private class Base<Item: Sendable>: @unchecked Sendable {
    func text() -> String { "base" }
}
private final class Derived: Base<[Int]>, Greeting, @unchecked Sendable {
    override func text() -> String { "derived" }
}

/// A class whose `any Error` value is a box around the object.
private final class Failure: Error {
    let name = "failure"
}

@Suite(.timeLimit(.minutes(15)))
struct DelegateImageTests {
    /// Returns the result of `read` for a list of one, and whether the call took no cast.
    private func tell<Delegate: Sendable>(
        _ delegate: Delegate,
        as type: Delegate.Type = Delegate.self,
        _ read: (Delegate) -> String
    ) throws -> (told: [String], hasImage: Bool) {
        let delegates = Delegates<Delegate>()
        try delegates.add(delegate)
        var told: [String] = []
        delegates.notify { told.append(read($0)) }
        withExtendedLifetime(delegate) {}
        let object = try #require(sendableObject(of: delegate))
        let image = DelegateImage(of: delegate, object: object)
        switch image {
        case .some: return (told, true)
        case nil: return (told, false)
        }
    }

    @Test func aDelegateOfOneProtocol() throws {
        let result = try tell(Person("ada"), as: (any Named).self) { $0.name }
        #expect(result == (["ada"], true))
    }

    @Test func aDelegateOfComposedProtocols() throws {
        let result = try tell(Person("ada"), as: (any Named & Counted).self) {
            "\($0.name)\($0.count)"
        }
        #expect(result == (["ada7"], true))
        let other = try tell(Box("x"), as: (any Counted & Named).self) { "\($0.name)\($0.count)" }
        #expect(other == (["x8"], true))
    }

    @Test func aDelegateOfAClassAndOfItsSubclass() throws {
        let result = try tell(Person("ada"), as: Person.self) { $0.name }
        #expect(result == (["ada"], true))
        let derived = try tell(Derived(), as: Base<[Int]>.self) { $0.text() }
        #expect(derived == (["derived"], true))
        let bounded = try tell(Derived(), as: (any Base<[Int]> & Greeting).self) {
            $0.text() + $0.greeting
        }
        #expect(bounded == (["derived hello"], true))
    }

    @Test func aGenericDelegateOfAProtocolWithAParameter() throws {
        let result = try tell(Box([1, 2]), as: (any Holder<[Int]>).self) { "\($0.item)" }
        #expect(result == (["[1, 2]"], true))
    }

    @Test func aDelegateOfAProtocolThatIsNotBoundToClasses() throws {
        let result = try tell(Person("ada"), as: (any Loose).self) { $0.name }
        #expect(result == (["ada"], true))
        let any = try tell(Person("ada"), as: (any Sendable).self) { ($0 as? Person)?.name ?? "-" }
        #expect(any == (["ada"], true))
    }

    @Test func aDelegateInABoxIsReachedByCast() throws {
        let result = try tell(Failure(), as: (any Error).self) { ($0 as? Failure)?.name ?? "-" }
        #expect(result == (["failure"], false))
        let (errors, failure) = (Delegates<any Error>(), Failure())
        for _ in 0..<2 { try errors.add(failure) }
        #expect(errors.count == 1)
        errors.notify { #expect($0 as? Failure === failure) }
        errors.remove(failure)
        #expect(errors.notify { _ in } == 0)
        withExtendedLifetime(failure) {}
    }

    @Test func aValueThatDoesNotBeginWithItsObjectHasNoImage() {
        let (person, other) = (Person("ada"), Person("eve"))
        for image in [
            DelegateImage(of: other, object: person) == nil,
            DelegateImage(of: (1, person), object: person) == nil,
            DelegateImage(of: UInt8(1), object: person) == nil,
        ] { #expect(image) }
    }

    @Test func aDelegateKeptByTheBodyOutlivesItsList() throws {
        var kept: (any Named)?
        do {
            let delegates = Delegates<any Named>()
            let person = Person("ada")
            try delegates.add(person)
            delegates.notify { kept = $0 }
        }
        #expect(kept?.name == "ada")
    }

    @Test func theImageKeepsNothingAlive() throws {
        let delegates = Delegates<any Named>()
        weak var dead: Person?
        do {
            let person = Person("ada")
            dead = person
            try delegates.add(person)
            delegates.notify { _ in }
        }
        #expect(dead == nil)
        #expect(delegates.notify { _ in } == 0)
    }

    @Test func aDelegateReleasedByTheBodyLivesUntilItsCallIsOver() throws {
        let delegates = Delegates<any Named>()
        let log = Log<String>()
        var person: Person? = Person("ada")
        weak let seen = person
        try delegates.add(try #require(person))
        delegates.notify { delegate in
            person = nil
            log(delegate.name)
        }
        #expect(log.all == ["ada"])
        #expect(seen == nil)
        #expect(person == nil)
    }
}
