// SPDX-License-Identifier: Apache-2.0

/// What messages must be about to reach an observation.
///
/// A message is about something when it is posted so; an observation that names no subject
/// receives it too. Subjects are held weakly: once an object has died nothing ever matches it
/// again, whatever stands at its address later.
///
/// ```swift
/// let token = center.observe(Played.self, about: .object(album)) { print("again: \($0.title)") }
/// center.post(Played(title: "Blue"), about: album)
/// ```
public struct MessageSubject: Sendable {
    let filter: SubjectFilter

    /// Messages about one object.
    ///
    /// The observation ends when the object dies.
    public static func object(_ object: any AnyObject & Sendable) -> MessageSubject {
        MessageSubject(filter: .object(WeakSubject(object)))
    }

    /// Messages about any object of a type.
    public static func any<Subject: AnyObject>(_ type: Subject.Type) -> MessageSubject {
        MessageSubject(filter: .matching { $0 is Subject })
    }

    /// Messages for whose subject, nil for a message about nothing, the closure says yes.
    ///
    /// It is asked on the thread that delivers, just before each call, and may be asked more
    /// often: it must say the same each time.
    package static func matching(
        _ isWanted: @escaping @Sendable ((any AnyObject & Sendable)?) -> Bool
    ) -> MessageSubject {
        MessageSubject(filter: .matching(isWanted))
    }
}
