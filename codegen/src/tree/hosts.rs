//! The host steps and questions that the runtime knows, which are those of HTML. A builder cannot be made for others.

/// Steps.
pub(super) const STEPS: [&str; 11] = [
    "associate a form-associated element with its form owner",
    "attach a declarative shadow root",
    "change the encoding if the meta element says so",
    "maybe clone an option into selectedcontent",
    "prepare content patching",
    "process the SVG script element",
    "run the reset algorithm of a resettable element",
    "run the script and wait for the pending parsing-blocking script",
    "set already started to true",
    "set force async to false",
    "set the parser document",
];

/// Questions.
pub(super) const QUESTIONS: [&str; 7] = [
    "context document mode",
    "context element",
    "declarative shadow roots are allowed",
    "scripting flag",
    "scripting mode",
    "the document is an iframe srcdoc document",
    "the parser cannot change the mode flag is set",
];
