/** Common first names, in lower case: what tells "Mary Brown" from "Spring Tide". English spelling, many languages. */
export const FIRST_NAMES: ReadonlySet<string> = new Set(
  ("aaron abby abigail adam adele adrian agnes ahmed aisha akira alan albert alejandro alessandro alex alexander alexandra alexis alfred ali alice alicia " +
    "alina alison allison amanda amara amber amelia amina amir amit amy ana anastasia andre andrea andreas andrei andrew andy angela angelina anil anita anja " +
    "ann anna anne annie anthony antonio anya arthur arun asha ashley astrid audrey ava barbara beatrice ben benjamin bernard bernd beth bianca bill bob " +
    "brandon brenda brian bridget bruce bruno carl carla carlos carmen carol caroline catherine cecilia charles charlie charlotte chen chiara chloe chris " +
    "christian christina christine christoph christopher claire clara claudia clemens colin connor craig cynthia dan dana daniel daniela dave david dean " +
    "deborah dennis derek diana diego dieter dimitri dmitri dominic don donald donna dora doris dorothy doug douglas dylan ed eddie edgar edith eduardo edward " +
    "edwin eileen elaine elena eli elias elisa elizabeth ella ellen emil emilia emily emma eric erica erik erin ernest esther ethan eva evan eve evelyn fatima " +
    "felix fernando fiona florian frances francesca francis francisco frank franz fred frederick gabriel gabriela gary gemma george georgia gerald gerard " +
    "giovanni giulia gloria gordon grace graham greg gregory greta guillermo gustav hannah hans harold harriet harry hassan heather heidi helen helena helga " +
    "henrik henry hiroshi holly howard hugh hugo ian ibrahim ida igor ines ingrid irene iris isaac isabel isabella ivan jack jackson jacob jake james jamie jan " +
    "jane janet jasmine jason javier jay jean jeff jennifer jenny jeremy jerry jesse jessica jill jim jin joan joanna joao joe joel johan johannes john johnny " +
    "jon jonas jonathan jordan jorge jose joseph josh joshua joy joyce juan judith judy julia julian julie june jurgen justin karen karin karl kate katherine " +
    "kathleen kathy katie katrin keiko keith kelly ken kenji kenneth kevin khalid kim kofi kumar kurt kyle lars laura lauren laurence layla lea leah lee lena " +
    "leo leon leonard leslie leticia lewis li liam lily linda lisa logan lorenzo louis louise luca lucas lucia lucy luis lukas luke lydia lynn mads maggie " +
    "magnus malik manuel marc marco marcus margaret maria marie marina mario marion mark marko markus marta martha martin mary mateo matt matthew maureen max " +
    "maxim maya megan mei melanie melissa mia michael michelle miguel mike mila milan miriam mohamed mohammed molly monica monika morgan nadia nancy naomi " +
    "natalia natalie natasha nathan neil nicholas nick nicola nicolas nicole nigel nikhil nina noah noor nora norman olga oliver olivia omar oscar otto owen " +
    "pablo pamela patricia patrick paul paula pauline pedro peggy penelope peter petra phil philip phoebe pierre priya rachel rafael rahul raj rajesh ralph ramon " +
    "ravi ray raymond rebecca renata ricardo richard rick rita rob robert roberto robin rodrigo roger roland ron ronald rosa rose ross roy ruben ruth ryan sabine " +
    "sally sam samantha samir samuel sandra sanjay santiago sara sarah scott sean sebastian sergei sergio shane shannon sharon sheila shirley silvia simon sofia " +
    "sonia sophia sophie stacy stefan stefano stella stephanie stephen steve steven stuart sue sunita susan susanne suzanne sven sylvia takashi tamara tanya tara " +
    "tatiana ted teresa terry theo theresa theodore thomas tim timothy tina tobias todd tom tomas tony tracy trevor ulrich ursula valentina valerie vanessa vera " +
    "veronica victor victoria vijay vincent virginia vivian vladimir walter wanda warren wayne wei wendy werner will william winston wolfgang xavier yan yasmin " +
    "yolanda yuki yusuf yvonne zachary zainab zara zoe").split(" ")
)
